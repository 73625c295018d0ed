"""Conversations: make, list, read, rename, pin, archive, delete and restore.

Whose they are is decided by `identity.access`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from workroom.conversations import message_search_store, store
from workroom.conversations.access import KEY, change_of, checked
from workroom.conversations.titles import title_from
from workroom.conversations.types import (
    Conversation,
    ConversationFilter,
    ConversationStatus,
    MessageHits,
    StoredMessage,
    TitleSource,
)
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit, inspections
from workroom.identity.access import Target, decide, require
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_text
from workroom.identity.types import Action, Principal

LONGEST_TITLE = 200
EVERYTHING = ConversationFilter()


class Conversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, wanted: ConversationFilter = EVERYTHING
    ) -> Page[Conversation]:
        """`wanted.status` lists the archive or the trash instead: of the trash what one could have put there oneself."""
        action = Action.DELETE if wanted.status is ConversationStatus.TRASH else Action.READ
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            own = decide(principal, action, Target(KEY, principal.user_id, frozenset({instance_id})))
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
                wanted,
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

    async def pin(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, *, pinned: bool
    ) -> Conversation:
        """On top of the list of this person, and of no other."""
        assert principal.user_id is not None
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id, lock=True)
            keep = store.pin if pinned else store.unpin
            await keep(uow, principal.mandate_id, conversation_id, principal.user_id)
            await uow.announce(
                Change(
                    mandate_id=principal.mandate_id,
                    kind=ChangeKind.CONVERSATION,
                    id=conversation_id,
                    owner_id=principal.user_id,
                )
            )
            own = frozenset({principal.user_id}) if pinned else frozenset()
            return replace(conversation, pinned_by=conversation.pinned_by - {principal.user_id} | own)

    async def archive(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, *, archived: bool
    ) -> Conversation:
        """Out of the list of all its readers, or back; needs the right to delete. Writing in it brings it back as well."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.DELETE, instance_id, conversation_id, lock=True)
            if (conversation.archived_at is not None) == archived:
                return conversation
            changed = replace(conversation, archived_at=now() if archived else None)
            await store.set_status(uow, principal.mandate_id, changed)
            await _record(uow, principal, "archived" if archived else "unarchived", changed)
            return changed

    async def delete(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> None:
        """Into the trash, where it stays for thirty days (`db/trash.py`). Answers under way end."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.DELETE, instance_id, conversation_id, lock=True)
            await store.set_status(uow, principal.mandate_id, replace(conversation, deleted_at=now()))
            await _record(uow, principal, "deleted", conversation)

    async def restore(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Conversation:
        """The right to delete is the right to restore; restoring what is not in the trash changes nothing."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(
                uow, principal, Action.DELETE, instance_id, conversation_id, lock=True, trash=True
            )
            if conversation.deleted_at is None:
                return conversation
            restored = replace(conversation, deleted_at=None)
            await store.set_status(uow, principal.mandate_id, restored)
            await _record(uow, principal, "restored", restored)
            return restored

    async def purge(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> None:
        """Delete a conversation in the trash for good."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(
                uow, principal, Action.DELETE, instance_id, conversation_id, lock=True, trash=True
            )
            if conversation.deleted_at is None:
                raise Conflict(
                    "Delete this conversation first; what is in the trash can be removed for good.", code="notInTrash"
                )
            await store.purge(uow, principal.mandate_id, conversation_id)
            await _record(uow, principal, "purged", conversation)


async def create(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, first_message: str, agent_id: UUID | None = None
) -> Conversation:
    """Part of the first input's transaction. Its title is made of that input."""
    assert principal.user_id is not None
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(KEY, principal.user_id, frozenset({instance_id})))
    moment = now()
    conversation = Conversation(
        new_id(),
        instance_id,
        principal.user_id,
        title_from(first_message),
        None,
        moment,
        moment,
        agent_id,
        owner_name=principal.name,
        titled_by=TitleSource.RULES,
    )
    await store.insert(uow, principal.mandate_id, conversation)
    await _record(uow, principal, "created", conversation)
    return conversation


async def _record(uow: UnitOfWork, principal: Principal, action: str, conversation: Conversation) -> None:
    await audit.record(uow, principal, action, ChangeKind.CONVERSATION, conversation.id, owner_id=conversation.owner_id)
    if conversation.is_shared:
        await uow.announce(change_of(principal.mandate_id, ChangeKind.CONVERSATION, conversation.id, conversation))
