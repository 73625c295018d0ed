"""The map of a conversation: the sum of the actions of its agents and of what people changed by hand in between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.conversations import map_store, store
from workroom.conversations.access import change_of, checked, may
from workroom.conversations.types import Conversation, MadeEdit, StoredMessage
from workroom.core.actions import UiAction
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
from workroom.core.map_actions import SetView, layers_after, view_after
from workroom.core.map_edits import MapEdit, action_of
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Action, Principal


@dataclass(frozen=True)
class Edits:
    """All edits of a conversation, oldest first, and whether the person may make another."""

    made: Sequence[MadeEdit]
    may_edit: bool


class Maps:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def layers(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, on: UUID | None = None
    ) -> Mapping[str, Mapping[str, Any]]:
        """Those that are on it now, by id, the lowest first; hidden ones are not `visible`. `on` the branch of a message, else
        on the one on the screen."""
        return layers_after(await self._actions(principal, instance_id, conversation_id, on))

    async def view(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, on: UUID | None = None
    ) -> SetView | None:
        """The place it was sent to last; where people moved it since, only they see. None: nowhere yet."""
        return view_after(await self._actions(principal, instance_id, conversation_id, on))

    async def edits(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Edits:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            return await _edits(uow, principal, conversation)

    async def edit(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, after_message_id: UUID, edit: MapEdit
    ) -> Edits:
        """`after_message_id`: the last message the person saw when they did it. A layer that was removed meanwhile is no
        error."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.UPDATE, instance_id, conversation_id)
            if await store.get_message(uow, principal.mandate_id, conversation_id, after_message_id) is None:
                raise NotFound("There is no such message in this conversation.")
            await store.hold(uow, principal.mandate_id, conversation_id)
            position = (principal.mandate_id, conversation_id, after_message_id)
            if not await map_store.put(uow, *position, edit, principal.user_id, now()):
                raise Conflict(
                    f"This map has been changed {map_store.MOST:,} times, and keeps no more. Begin another conversation.",
                    code="mapFull",
                )
            await _announce(uow, principal, conversation)
            return await _edits(uow, principal, conversation)

    async def _actions(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, on: UUID | None
    ) -> list[UiAction]:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            leaf = conversation.leaf_id if on is None else await store.newest_leaf(uow, principal.mandate_id, on)
            branch = await store.branch(uow, principal.mandate_id, leaf) if leaf else []
            edits = await map_store.of_conversation(uow, principal.mandate_id, conversation_id)
        return list(_in_order(branch, edits))


async def _edits(uow: UnitOfWork, principal: Principal, conversation: Conversation) -> Edits:
    made = await map_store.of_conversation(uow, principal.mandate_id, conversation.id)
    return Edits(made, may(principal, Action.UPDATE, conversation))


async def _announce(uow: UnitOfWork, principal: Principal, conversation: Conversation) -> None:
    await uow.announce(change_of(principal.mandate_id, ChangeKind.MAP, conversation.id, conversation))


def _in_order(branch: Sequence[StoredMessage], edits: Sequence[MadeEdit]) -> Iterator[UiAction]:
    """The actions of a branch: those of each message, followed by the edits people made after it."""
    after: dict[UUID, list[MapEdit]] = defaultdict(list)
    for made in edits:
        after[made.after_message_id].append(made.edit)
    for stored in branch:
        yield from (action for step in stored.message.steps for action in step.actions)
        yield from map(action_of, after[stored.message.id])
