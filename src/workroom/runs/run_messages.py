"""The messages of a run in its conversation: its answers, and what was read for its question."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from workroom.conversations import store as conversations
from workroom.conversations import switch_store
from workroom.conversations.types import SwitchKind
from workroom.core.clock import now
from workroom.core.messages import MaterialPart, Message
from workroom.core.run_events import RunEvent
from workroom.db import UnitOfWork
from workroom.runs.errors import ReadersChanged
from workroom.runs.step_events import event_for_switch
from workroom.runs.types import Claim


class RunMessages:
    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self.last_id = claim.last_message_id
        self.audience_since: datetime | None = None  # as it was when the session asked for its rights

    async def add(self, uow: UnitOfWork, message: Message) -> list[RunEvent]:
        """Returns the events for it: an answer in words answers every switch the run knows of."""
        claim = self._claim
        await conversations.add_message(
            uow,
            claim.key.mandate_id,
            claim.conversation_id,
            message,
            parent_id=self.last_id,
            run_id=claim.key.run_id,
            client_id=None,
            now=now(),
            agent_id=claim.agent.id if message.text.strip() else None,
        )
        self.last_id = message.id
        if not claim.switch_seq or not message.text.strip():
            return []
        answered = await switch_store.answer(
            uow, claim.key.mandate_id, claim.conversation_id, claim.switch_seq, message.id
        )
        return [event_for_switch(entry) for entry in answered if entry.kind is not SwitchKind.HANDOFF]

    def with_materials(self, message: Message, materials: Sequence[MaterialPart]) -> Message:
        """The message with these, marked as read in this run, instead of what was read for it before."""
        own = [part.model_copy(update={"read_in": self._claim.key.run_id}) for part in materials]
        others = [part for part in message.parts if not isinstance(part, MaterialPart)]
        return message.model_copy(update={"parts": [*others, *own]})

    async def require_same_readers(self, uow: UnitOfWork) -> None:
        """A reader who has joined the conversation since its rights were asked must not see what was read before: the run is
        loaded anew."""
        since = await conversations.audience_since(uow, self._claim.key.mandate_id, self._claim.conversation_id)
        if since is not None and since != self.audience_since:
            raise ReadersChanged
