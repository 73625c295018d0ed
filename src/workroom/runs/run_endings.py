"""How a session of a run ends: the run is completed, stopped or has failed; or it is left, to be continued by another session."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

from workroom.agent.ports import LeaseLost
from workroom.conversations import switch_store
from workroom.conversations.access import announce_to_readers
from workroom.conversations.types import SwitchKind
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import WorkroomError
from workroom.core.messages import Message, Role, TextPart
from workroom.core.run_events import Completed, Failed, RunEvent, RunState, StatusChanged, Stopped, Summarised
from workroom.db import Database, UnitOfWork
from workroom.runs import pauses, store
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.failure_details import failure_details
from workroom.runs.fenced_store import finish_run
from workroom.runs.handoffs import go_on
from workroom.runs.jobs import RUN_JOB
from workroom.runs.journal import DatabaseJournal
from workroom.runs.step_events import event_for_switch
from workroom.runs.types import Claim, Run

log = logging.getLogger(__name__)


class RunEndings:
    def __init__(self, db: Database, claim: Claim, journal: DatabaseJournal, buffer: EventBuffer) -> None:
        self._db = db
        self._claim = claim
        self._journal = journal
        self._buffer = buffer

    async def complete(self, state: RunState) -> None:
        await self._finish(state, [Completed(state=state, next_agent=self._journal.handed_to)])

    async def stop(self) -> None:
        """Partial text stays, as a message of its own."""
        partial_text = self._buffer.partial

        async def keep(uow: UnitOfWork) -> None:
            if partial_text is not None:
                message_id, text = partial_text
                message = Message(id=message_id, role=Role.ASSISTANT, parts=[TextPart(text=text)])
                await self._journal.messages.add(uow, message)

        await self._finish(RunState.STOPPED, [Stopped()], keep)

    async def fail(self, error: WorkroomError) -> None:
        await self._finish(RunState.ERROR, [_failed(error)], error=error)

    async def stop_if_requested(self) -> None:
        """For a run that has just begun to wait for a person: it may have been asked to stop at the same moment."""
        key = self._claim.key
        async with self._db.unit_of_work(self._actor) as uow:
            if await store.stop_was_requested(uow, key) and (run := await store.get(uow, key)) is not None:
                await pauses.end(uow, key.mandate_id, run)

    async def release(self) -> None:
        """Give the lease back: what was emitted is kept, and another worker may take over at once."""
        await self._journal.flush()
        async with self._db.unit_of_work(self._actor) as uow:
            await store.release(uow, self._claim.key, self._claim.epoch)
            await uow.wake(RUN_JOB)

    async def _finish(
        self,
        state: RunState,
        last_events: list[RunEvent],
        keep: Callable[[UnitOfWork], Awaitable[None]] | None = None,
        error: WorkroomError | None = None,
    ) -> None:
        """Settle, summarise and end, in one transaction; and wake a worker for the next waiting run of the conversation."""
        claim, journal = self._claim, self._journal

        async def effect(uow: UnitOfWork) -> Summarised:
            await journal.settle_what_is_open(uow)
            if keep is not None:
                await keep(uow)
            run = await store.get(uow, claim.key)
            if run is None:
                raise LeaseLost
            if journal.handed_to is not None and state is RunState.COMPLETED:
                last_events[:0] = await self._hand_over(uow, run, journal.handed_to)
            if await store.next_waiting(uow, claim.key.mandate_id, claim.conversation_id) is not None:
                await uow.wake(RUN_JOB)
            await announce_to_readers(uow, claim.key.mandate_id, claim.conversation_id)
            return run.summary(state, now())

        await journal.write(
            effect,
            partial(finish_run, state=state, ended_at=now(), error=error),
            events=lambda summary: [summary, *last_events],
        )

    async def _hand_over(self, uow: UnitOfWork, run: Run, agent_id: UUID) -> list[RunEvent]:
        """Queue the run of the next agent. One that was deleted meanwhile cannot go on: the user is told, and asks another."""
        claim, journal = self._claim, self._journal
        try:
            following = await go_on(uow, journal.principal, claim, run, agent_id, journal.messages.last_id)
        except WorkroomError as error:
            return [StatusChanged(state=RunState.COMPLETED, text=error.message)]
        history = await switch_store.of_conversation(uow, claim.key.mandate_id, claim.conversation_id)
        entry = next((switch for switch in reversed(history) if switch.kind is SwitchKind.HANDOFF), None)
        return [event_for_switch(entry, following)] if entry else []

    @property
    def _actor(self) -> UserActor:
        """For the bookkeeping of the run itself: inside its mandate, whatever rights the person has."""
        return UserActor(self._claim.key.mandate_id, self._claim.user_id)


def _failed(error: WorkroomError) -> Failed:
    return Failed(code=error.code, message=error.message, details=failure_details(error))
