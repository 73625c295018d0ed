"""A conversation with a map that two people change over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.conversations.readers import shared
from tests.tools.room import Room
from tests.world import World
from workroom.conversations import store
from workroom.core.actions import UiAction
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, StepPart
from workroom.core.plans import StepOutcome
from workroom.core.results import ResultStatus
from workroom.geo.tools.map_layers import layers_shown
from workroom.runs.service import Input


@dataclass
class Chart:
    """A conversation of Bob's that Alice writes in too, answered by orders that the test gives."""

    world: World
    id: UUID
    asked: UUID

    @property
    def lab(self) -> UUID:
        return self.world.instances["lab"].id

    def path(self, slug: str = "lab") -> str:
        return f"/api/workspace/{self.world.instances[slug].id}/conversations/{self.id}/map/edits"

    async def answer(self, *orders: UiAction, after: UUID | None = None) -> UUID:
        """What a run stores when a step of its plan is done."""
        step = StepOutcome(index=0, intent="load_layer", status=ResultStatus.OK, message="", actions=list(orders))
        message = Message(id=new_id(), role=Role.ASSISTANT, parts=[StepPart(step=step)])
        principal = self.world["bob"].principal
        async with self.world.services.db.unit_of_work(principal.actor) as uow:
            await store.add_message(
                uow,
                principal.mandate_id,
                self.id,
                message,
                parent_id=after or self.asked,
                run_id=None,
                client_id=None,
                now=now(),
            )
        return message.id

    async def edit(self, after: UUID, edit: dict[str, Any], who: str = "bob", slug: str = "lab") -> Any:
        body = {"afterMessageId": str(after), "edit": edit}
        return await self.world.call(who, "POST", self.path(slug), body)

    async def kept(self, who: str = "bob") -> list[Any]:
        found = (await self.world.call(who, "GET", self.path())).json()
        return [one["edit"] for one in found["edits"]]

    async def shown(self, who: str = "bob", query: str = "", on: UUID | None = None) -> list[Any]:
        """As an agent is told."""
        room = Room(self.world, who, conversation_id=self.id, message_id=on)
        told: list[Any] = await room.call(layers_shown, query=query)
        return told


async def begun(world: World) -> Chart:
    """A conversation with one question of Bob's."""
    accepted = await world.services.runs.input(world["bob"].principal, world.instances["lab"].id, Input("show me"))
    await shared(world, accepted.conversation_id, "alice")
    return Chart(world, accepted.conversation_id, accepted.message_id)
