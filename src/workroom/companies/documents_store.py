"""All SQL of the documents about companies. Every version is a row; the newest of a kind is the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from workroom.companies.types import DnaDocument, DnaVersion
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page

COLUMNS = """
d.kind, d.version, d.status, d.written_by, u.display_name as written_by_name, d.agent_id, d.agent_name, d.run_id, d.written_at,
d.restored_from"""
SOURCE = """
from dna_documents d left join users u on u.mandate_id = d.mandate_id and u.user_id = d.written_by
where d.mandate_id = $1 and d.company_id = $2"""
FINALISED = """
(select max(f.written_at) from dna_documents f where f.mandate_id = d.mandate_id and f.company_id = d.company_id
    and f.kind = d.kind and f.status = 'final') as finalised_at"""


async def newest(uow: UnitOfWork, mandate_id: UUID, company_id: UUID) -> Mapping[str, DnaDocument]:
    """Those that were ever written, by kind."""
    rows = await uow.fetch(
        f"select distinct on (d.kind) {COLUMNS}, d.text, {FINALISED} {SOURCE} order by d.kind, d.version desc",
        mandate_id,
        company_id,
    )
    return {row["kind"]: _document(row) for row in rows}


async def version(
    uow: UnitOfWork, mandate_id: UUID, company_id: UUID, kind: str, number: int | None = None
) -> DnaDocument | None:
    """That version of a document; the newest without a number."""
    row = await uow.fetchrow(
        f"select {COLUMNS}, d.text, {FINALISED} {SOURCE} and d.kind = $3 and ($4::int is null or d.version = $4)"
        " order by d.version desc limit 1",
        mandate_id,
        company_id,
        kind,
        number,
    )
    return _document(row) if row else None


async def versions(
    uow: UnitOfWork, mandate_id: UUID, company_id: UUID, kind: str, request: PageRequest
) -> Page[DnaVersion]:
    listing = Listing(
        f"select d.version as id, {COLUMNS} {SOURCE} and d.kind = $3",
        [mandate_id, company_id, kind],
        sorts={"version": "lpad(version::text, 10, '0')"},
        default_sort="version",
        search=["written_by_name", "agent_name"],
    )
    found = await page(uow, listing, request)
    return found.map(lambda row: DnaVersion(**{name: row[name] for name in DnaVersion.model_fields}))


async def add(uow: UnitOfWork, mandate_id: UUID, company_id: UUID, document: DnaDocument) -> None:
    """A new version, which is the document from now on."""
    await uow.execute(
        "insert into dna_documents (mandate_id, company_id, kind, version, status, text, written_by, agent_id, agent_name,"
        " run_id, written_at, restored_from) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        mandate_id,
        company_id,
        document.kind,
        document.version,
        document.status,
        document.text,
        document.written_by,
        document.agent_id,
        document.agent_name,
        document.run_id,
        document.written_at,
        document.restored_from,
    )


def _document(row: Any) -> DnaDocument:
    return DnaDocument(**{name: row[name] for name in DnaDocument.model_fields})
