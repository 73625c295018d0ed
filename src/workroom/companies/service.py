"""Companies: make, list, read, change, delete, restore. The members of a workspace read them, and write what is about them.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit
from uuid import UUID

from workroom.companies import store
from workroom.companies.errors import CompanyChanged
from workroom.companies.types import Company, CompanyChange, DocumentStatus
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.ids import new_id
from workroom.core.languages import Language
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name, clean_text
from workroom.identity.types import Action, Principal
from workroom.identity.workspace_items import WorkspaceItems

KEY = "data.company"
LONGEST_WEBSITE = 300
LONGEST_DESCRIPTION = 2_000
COMPANIES = WorkspaceItems("company", KEY, ChangeKind.COMPANY, store.get, store.update)


class Companies:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self,
        principal: Principal,
        instance_id: UUID,
        request: PageRequest,
        *,
        deleted: bool = False,
        names_only: bool = False,
    ) -> Page[Company]:
        """`deleted` lists the trash: only what one could have put there oneself."""
        reach = scope(principal, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(
                uow, principal.mandate_id, instance_id, reach, request, deleted=deleted, names_only=names_only
            )

    async def progress(
        self, principal: Principal, companies: Collection[Company]
    ) -> Mapping[UUID, Mapping[str, DocumentStatus]]:
        """How far the documents of these companies are, which the person has listed."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.progress(uow, principal.mandate_id, [company.id for company in companies])

    async def get(self, principal: Principal, instance_id: UUID, company_id: UUID) -> Company:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await read(uow, principal, instance_id, company_id)

    async def create(
        self,
        principal: Principal,
        instance_id: UUID,
        name: str,
        website: str = "",
        language: Language = "de",
        description: str = "",
    ) -> Company:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await create(uow, principal, instance_id, name, website, language, description)

    async def require_writing(self, principal: Principal, instance_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await COMPANIES.require_create(uow, principal, instance_id)

    async def change(
        self, principal: Principal, instance_id: UUID, company_id: UUID, version: int, change: CompanyChange
    ) -> Company:
        """`version` is the one the change was made from: when another change was faster, nothing is overwritten."""
        async with self._db.unit_of_work(principal.actor) as uow:
            company = await COMPANIES.checked(uow, principal, Action.UPDATE, instance_id, company_id, lock=True)
            if company.version != version:
                raise CompanyChanged(company.version)
            changed = _changed(company, change)
            if changed == company:
                return company
            return await COMPANIES.update(
                uow, principal, instance_id, changed, version=version + 1, changed_by=principal.user_id
            )

    async def delete(self, principal: Principal, instance_id: UUID, company_id: UUID) -> None:
        """With its documents, which come back with it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await COMPANIES.move_to_trash(uow, principal, instance_id, company_id)

    async def restore(self, principal: Principal, instance_id: UUID, company_id: UUID) -> Company:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await COMPANIES.restore(uow, principal, instance_id, company_id)


async def read(uow: UnitOfWork, principal: Principal, instance_id: UUID, company_id: UUID) -> Company:
    return await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)


async def create(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    name: str,
    website: str = "",
    language: Language = "de",
    description: str = "",
) -> Company:
    owner_id, moment = await COMPANIES.require_create(uow, principal, instance_id), now()
    company = Company(
        id=new_id(),
        name=clean_name(name, "name"),
        website=clean_website(website),
        language=language,
        description=clean_text(description, "description", LONGEST_DESCRIPTION),
        version=1,
        owner_id=owner_id,
        changed_by=owner_id,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, principal.mandate_id, instance_id, company)
    await COMPANIES.announce(uow, principal, instance_id, company)
    return company


def _changed(company: Company, change: CompanyChange) -> Company:
    wanted = {
        "name": None if change.name is None else clean_name(change.name, "name"),
        "website": None if change.website is None else clean_website(change.website),
        "language": change.language,
        "description": None
        if change.description is None
        else clean_text(change.description, "description", LONGEST_DESCRIPTION),
    }
    return company.model_copy(update={name: value for name, value in wanted.items() if value is not None})


def clean_website(text: str) -> str:
    """As an address that a page can link to; `example.com` is one as well. Empty: the company has none."""
    given = text.strip()
    if not given:
        return ""
    address = given if "://" in given else f"https://{given}"
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and "." in (parts.hostname or "") and parts.username is None
    except ValueError:
        fits = False
    if not fits or len(address) > LONGEST_WEBSITE or any(char.isspace() or not char.isprintable() for char in address):
        raise InvalidInput("A website is an address such as https://example.com.", field="website")
    return address
