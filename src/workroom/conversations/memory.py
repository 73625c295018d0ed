"""What a conversation remembers, for people: to look at and to forget. What notes it is in `runs/`.

Facts are one person's, also in a conversation others may open. Summaries belong to the conversation, apart from those made
of what was read for one person; a person who may change the conversation may have them made anew.
"""

from __future__ import annotations

from uuid import UUID

from workroom.conversations import memory_store, summary_store
from workroom.conversations.access import checked, may
from workroom.conversations.types import Conversation, ConversationMemory
from workroom.core.changes import ChangeKind
from workroom.core.errors import NotFound
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.types import Action, Principal


class Memories:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> ConversationMemory:
        async with self._db.unit_of_work(principal.actor) as uow:
            await checked(uow, principal, Action.READ, instance_id, conversation_id)
            user_id = _person(principal)
            return ConversationMemory(
                await memory_store.of_person(uow, principal.mandate_id, conversation_id, user_id),
                await summary_store.kept(uow, principal.mandate_id, conversation_id, user_id),
            )

    async def forget(self, principal: Principal, instance_id: UUID, conversation_id: UUID, memory_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            if not await memory_store.forget(uow, principal.mandate_id, conversation_id, _person(principal), memory_id):
                raise NotFound("There is no such fact here, or it is not yours to see.")
            await _record(uow, principal, conversation, entities=1, summaries=0)

    async def forget_all(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> tuple[int, int]:
        """How many facts of theirs, and how many summaries: those only if they may change the conversation."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            entities = await memory_store.forget(uow, principal.mandate_id, conversation_id, _person(principal))
            summaries = 0
            if may(principal, Action.UPDATE, conversation):
                summaries = await summary_store.forget(uow, principal.mandate_id, conversation_id)
            if entities or summaries:
                await _record(uow, principal, conversation, entities=entities, summaries=summaries)
            return entities, summaries

    async def forget_summary(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, message_id: UUID
    ) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.UPDATE, instance_id, conversation_id)
            gone = await summary_store.forget(uow, principal.mandate_id, conversation_id, message_id)
            if not gone:
                raise NotFound("There is no such summary here.")
            await _record(uow, principal, conversation, entities=0, summaries=gone)


def _person(principal: Principal) -> UUID:
    assert principal.user_id is not None
    return principal.user_id


async def _record(
    uow: UnitOfWork, principal: Principal, conversation: Conversation, *, entities: int, summaries: int
) -> None:
    """What it was is not written down: it was to be forgotten. Deleted facts are announced to their owner alone."""
    owner_id = conversation.owner_id if summaries else principal.user_id
    details = {"entities": entities, "summaries": summaries}
    await audit.record(
        uow, principal, "forgotten", ChangeKind.MEMORY, conversation.id, owner_id=owner_id, details=details
    )
