"""Conversations: make, list, rename, delete, read. Whose they are is decided by `identity.access`, as everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.conversations import message_search_store, store
from workroom.conversations.access import KEY, change_of, checked
from workroom.conversations.types import Conversation, MessageHits, StoredMessage
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit, inspections
from workroom.identity.access import Target, decide, require
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_text
from workroom.identity.types import Action, Principal

LONGEST_TITLE = 200


class Conversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, instance_id: UUID, request: PageRequest) -> Page[Conversation]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            own = decide(principal, Action.READ, Target(KEY, principal.user_id, frozenset({instance_id})))
            inspected = sorted(principal.inspects)
            await inspections.record_list(uow, principal, ChangeKind.CONVERSATION, instance_id, inspected)
            return await store.listed(
                uow,
                principal.mandate_id,
                instance_id,
                principal.user_id if own else None,
                own and instance_id in principal.memberships,
                inspected,
                request,
            )

    async def search_messages(
        self, principal: Principal, instance_id: UUID, words: Sequence[str], limit: int
    ) -> MessageHits:
        """In one's own conversations and those shared with one; never in what an inspection has opened."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            if not decide(principal, Action.READ, Target(KEY, principal.user_id, frozenset({instance_id}))):
                return MessageHits([], is_complete=True)
            is_member = instance_id in principal.memberships
            return await message_search_store.search(
                uow, principal.mandate_id, instance_id, principal.user_id, is_member, words, limit
            )

    async def get(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Conversation:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await checked(uow, principal, Action.READ, instance_id, conversation_id)

    async def messages(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Sequence[StoredMessage]:
        """The branch on the screen, oldest first."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            return await store.branch(uow, principal.mandate_id, conversation.leaf_id) if conversation.leaf_id else []

    async def siblings(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID
    ) -> Mapping[UUID | None, Sequence[UUID]]:
        """Where the conversation branches, for a picker."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await checked(uow, principal, Action.READ, instance_id, conversation_id)
            return await store.siblings(uow, principal.mandate_id, conversation_id)

    async def show_branch(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, message_id: UUID
    ) -> None:
        """Show the branch this message belongs to, down to its newest end."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
            if await store.get_message(uow, principal.mandate_id, conversation_id, message_id) is None:
                raise NotFound("There is no such message in this conversation.")
            leaf_id = await store.newest_leaf(uow, principal.mandate_id, message_id)
            await store.set_leaf(uow, principal.mandate_id, conversation_id, leaf_id)
            await _record(uow, principal, "updated", conversation)

    async def rename(self, principal: Principal, instance_id: UUID, conversation_id: UUID, title: str) -> Conversation:
        cleaned = clean_text(title, "title", LONGEST_TITLE)
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
            await store.rename(uow, principal.mandate_id, conversation_id, cleaned)
            await _record(uow, principal, "updated", conversation)
            return await checked(uow, principal, Action.READ, instance_id, conversation_id)

    async def delete(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.DELETE, instance_id, conversation_id, lock=True)
            await store.delete(uow, principal.mandate_id, conversation_id)
            await _record(uow, principal, "deleted", conversation)


async def create(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, title: str, agent_id: UUID | None = None
) -> Conversation:
    """Part of the first input's transaction."""
    assert principal.user_id is not None
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(KEY, principal.user_id, frozenset({instance_id})))
    moment = now()
    shortened = " ".join(title.split())[:80]
    conversation = Conversation(
        new_id(), instance_id, principal.user_id, shortened, None, moment, moment, agent_id, owner_name=principal.name
    )
    await store.insert(uow, principal.mandate_id, conversation)
    await _record(uow, principal, "created", conversation)
    return conversation


async def _record(uow: UnitOfWork, principal: Principal, action: str, conversation: Conversation) -> None:
    await audit.record(uow, principal, action, ChangeKind.CONVERSATION, conversation.id, owner_id=conversation.owner_id)
    if conversation.is_shared:
        await uow.announce(change_of(principal.mandate_id, ChangeKind.CONVERSATION, conversation.id, conversation))
