"""The documents about a company: read, write, look at versions, restore one. Every change makes a version with its author.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one. Writers of
one company wait for each other, so that versions count without gaps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from uuid import UUID

from workroom.companies import documents_store as store
from workroom.companies.document_kinds import KINDS
from workroom.companies.errors import DocumentChanged
from workroom.companies.gaps import Dna, gaps_of
from workroom.companies.service import COMPANIES
from workroom.companies.types import (
    Company,
    DnaDocument,
    DnaVersion,
    DocumentInput,
    DocumentStatus,
    unwritten,
)
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import Page, PageRequest
from workroom.core.threaded import LONG
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.identity.names import clean_text
from workroom.identity.types import Action, Principal

LARGEST = 300_000  # bytes


class DnaDocuments:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def dna(self, principal: Principal, instance_id: UUID, company_id: UUID) -> Dna:
        """Also documents that were never written: as version 0."""
        async with self._db.unit_of_work(principal.actor) as uow:
            company, documents = await read_all(uow, principal, instance_id, company_id)
        is_long = sum(len(document.text) for document in documents.values()) > LONG
        gaps = await asyncio.to_thread(gaps_of, documents) if is_long else gaps_of(documents)
        return Dna(company, documents, gaps)

    async def write(
        self, principal: Principal, instance_id: UUID, company_id: UUID, kind: str, given: DocumentInput
    ) -> DnaDocument:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await write(uow, principal, instance_id, company_id, kind, given)

    async def versions(
        self, principal: Principal, instance_id: UUID, company_id: UUID, kind: str, request: PageRequest
    ) -> Page[DnaVersion]:
        require_kind(kind)
        async with self._db.unit_of_work(principal.actor) as uow:
            await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)
            return await store.versions(uow, principal.mandate_id, company_id, kind, request)

    async def version(
        self, principal: Principal, instance_id: UUID, company_id: UUID, kind: str, number: int
    ) -> DnaDocument:
        require_kind(kind)
        async with self._db.unit_of_work(principal.actor) as uow:
            await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)
            return await _version(uow, principal, company_id, kind, number)

    async def restore_version(
        self, principal: Principal, instance_id: UUID, company_id: UUID, kind: str, number: int
    ) -> DnaDocument:
        """As it was then, as a new version: nothing of the history is lost."""
        require_kind(kind)
        async with self._db.unit_of_work(principal.actor) as uow:
            company = await COMPANIES.checked(uow, principal, Action.UPDATE, instance_id, company_id, lock=True)
            earlier = await _version(uow, principal, company_id, kind, number)
            newest = await _version(uow, principal, company_id, kind)
            if (newest.text, newest.status) == (earlier.text, earlier.status):
                return newest
            given = DocumentInput(newest.version, earlier.text, earlier.status)
            return await _add(uow, principal, instance_id, company, kind, given, restored_from=number)


async def read_all(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, company_id: UUID
) -> tuple[Company, Mapping[str, DnaDocument]]:
    """The company and its document of every kind, in the order of the kinds; version 0 was never written."""
    company = await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)
    written = await store.newest(uow, principal.mandate_id, company_id)
    return company, {kind: written.get(kind, unwritten(kind)) for kind in KINDS}


async def write(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    company_id: UUID,
    kind: str,
    given: DocumentInput,
    agent: WritingAgent | None = None,
) -> DnaDocument:
    """Raises DocumentChanged when it was not made from the newest version. What is the same already makes no version. `agent`:
    who writes it, when it is not the person."""
    require_kind(kind)
    company = await COMPANIES.checked(uow, principal, Action.UPDATE, instance_id, company_id, lock=True)
    newest = await store.version(uow, principal.mandate_id, company_id, kind) or unwritten(kind)
    if newest.version != given.version:
        raise DocumentChanged(kind, newest.version)
    cleaned = _cleaned(given)
    if (newest.text, newest.status) == (cleaned.text, cleaned.status):
        return newest
    return await _add(uow, principal, instance_id, company, kind, cleaned, agent)


def require_kind(kind: str) -> None:
    if kind not in KINDS:
        raise NotFound(f"There is no such document. A company has {', '.join(KINDS)}.")


async def _version(
    uow: UnitOfWork, principal: Principal, company_id: UUID, kind: str, number: int | None = None
) -> DnaDocument:
    found = await store.version(uow, principal.mandate_id, company_id, kind, number)
    if found is None:
        raise NotFound("There is no such version of this document.")
    return found


async def _add(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    company: Company,
    kind: str,
    given: DocumentInput,
    agent: WritingAgent | None = None,
    *,
    restored_from: int | None = None,
) -> DnaDocument:
    changes = {
        "version": given.version + 1,
        "status": given.status,
        "text": given.text,
        "written_by": principal.user_id,
        "agent_id": agent.id if agent else None,
        "agent_name": agent.name if agent else "",
        "run_id": agent.run_id if agent else None,
        "written_at": now(),
        "restored_from": restored_from,
    }
    document = unwritten(kind).model_copy(update=changes)
    await store.add(uow, principal.mandate_id, company.id, document)
    await COMPANIES.announce(uow, principal, instance_id, company)
    return await _version(uow, principal, company.id, kind)


def _cleaned(given: DocumentInput) -> DocumentInput:
    text = clean_text(given.text, "text", LARGEST)
    if len(text.encode()) > LARGEST:
        raise InvalidInput(f"A document has at most {LARGEST // 1_000} kB.", field="text")
    if not text:
        return DocumentInput(given.version, "", DocumentStatus.EMPTY)
    status = DocumentStatus.DRAFT if given.status is DocumentStatus.EMPTY else given.status
    return DocumentInput(given.version, text, status)
