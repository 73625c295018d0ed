"""Which company a conversation is about: at most one, of the same workspace. Who writes in the conversation says so.

Functions take a unit of work: a tool says so in the transaction that stores its result.
"""

from __future__ import annotations

from uuid import UUID

from workroom.companies import conversations_store as store
from workroom.companies.service import COMPANIES
from workroom.companies.types import Company
from workroom.conversations.access import change_of, checked
from workroom.core.changes import ChangeKind
from workroom.core.errors import NotFound
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Action, Principal


class CompanyConversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def assign(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, company_id: UUID | None
    ) -> Company | None:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await assign(uow, principal, instance_id, conversation_id, company_id)

    async def of_conversation(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Company | None:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await of_conversation(uow, principal, instance_id, conversation_id)


async def assign(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, conversation_id: UUID, company_id: UUID | None
) -> Company | None:
    """From now on the conversation is about this company, or about none."""
    conversation = await checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
    company = None
    if company_id is None:
        await store.release(uow, principal.mandate_id, conversation_id)
    else:
        company = await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)
        await store.assign(uow, principal.mandate_id, conversation_id, company_id)
    await uow.announce(change_of(principal.mandate_id, ChangeKind.CONVERSATION, conversation_id, conversation))
    return company


async def of_conversation(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, conversation_id: UUID
) -> Company | None:
    """None also when the company is in the trash, or not this person's to see."""
    await checked(uow, principal, Action.READ, instance_id, conversation_id)
    company_id = await store.company_of(uow, principal.mandate_id, conversation_id)
    if company_id is None:
        return None
    try:
        return await COMPANIES.checked(uow, principal, Action.READ, instance_id, company_id)
    except NotFound:
        return None
