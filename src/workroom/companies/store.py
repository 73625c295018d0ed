"""All SQL of companies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.companies.types import Company, DocumentStatus
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level

SELECT = """
select company_id as id, name, website, language, description, version, owner_id, changed_by, created_at, updated_at, deleted_at
from companies where mandate_id = $1 and instance_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, company: Company) -> None:
    await uow.execute(
        "insert into companies (mandate_id, company_id, instance_id, owner_id, changed_by, name, website, language,"
        " description, version, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        mandate_id,
        company.id,
        instance_id,
        company.owner_id,
        company.changed_by,
        company.name,
        company.website,
        company.language,
        company.description,
        company.version,
        company.created_at,
        company.updated_at,
    )


async def get(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, company_id: UUID, *, lock: bool = False
) -> Company | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and company_id = $3" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, company_id, writes=lock)
    return _company(row) if row else None


async def update(uow: UnitOfWork, mandate_id: UUID, company: Company) -> None:
    await uow.execute(
        "update companies set name = $3, website = $4, language = $5, description = $6, version = $7, changed_by = $8,"
        " updated_at = $9, deleted_at = $10 where mandate_id = $1 and company_id = $2",
        mandate_id,
        company.id,
        company.name,
        company.website,
        company.language,
        company.description,
        company.version,
        company.changed_by,
        company.updated_at,
        company.deleted_at,
    )


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    scope: ListScope,
    request: PageRequest,
    *,
    deleted: bool,
    names_only: bool,
) -> Page[Company]:
    listing = Listing(
        SELECT
        + " and ($3 or owner_id = $4 or instance_id = any($5)) and deleted_at is "
        + ("not null" if deleted else "null"),
        [mandate_id, instance_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)],
        sorts={"name": "lower(name)", "createdAt": moment("created_at"), "updatedAt": moment("updated_at")},
        default_sort="name",
        search=["name"] if names_only else ["name", "website", "description"],
    )
    return (await page(uow, listing, request)).map(_company)


async def progress(
    uow: UnitOfWork, mandate_id: UUID, company_ids: Collection[UUID]
) -> Mapping[UUID, Mapping[str, DocumentStatus]]:
    """The status of each document that was ever written, by company."""
    rows = await uow.fetch(
        "select distinct on (company_id, kind) company_id, kind, status from dna_documents"
        " where mandate_id = $1 and company_id = any($2) order by company_id, kind, version desc",
        mandate_id,
        list(company_ids),
    )
    found: dict[UUID, dict[str, DocumentStatus]] = {company_id: {} for company_id in company_ids}
    for row in rows:
        found[row["company_id"]][row["kind"]] = DocumentStatus(row["status"])
    return found


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from companies where deleted_at <= $1", before)


def _company(row: Any) -> Company:
    return Company(**{name: row[name] for name in Company.model_fields})
