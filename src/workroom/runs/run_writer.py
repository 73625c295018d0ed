"""How a run writes: an effect, the events that tell of it and the proof of the lease, in one transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from workroom.core.actors import UserActor
from workroom.core.run_events import RunEvent
from workroom.db import Database, UnitOfWork
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.fenced_store import append_events
from workroom.runs.ports import TransactionStep
from workroom.runs.types import AttemptEvents, Claim, Fence

T = TypeVar("T")
FencedWrite = Callable[[UnitOfWork, Fence, AttemptEvents], Awaitable[None]]  # a function of `fenced_store`


class RunWriter:
    def __init__(self, db: Database, claim: Claim, buffer: EventBuffer) -> None:
        self._db = db
        self._fence = claim.fence
        self._actor = UserActor(claim.key.mandate_id, claim.user_id)
        self._buffer = buffer

    async def write(
        self,
        effect: TransactionStep[T],
        record: FencedWrite = append_events,
        *,
        events: Callable[[T], list[RunEvent]] | None = None,
    ) -> T:
        """Effect, change of the run's row and everything emitted so far: all or nothing, in the order in which it was emitted.
        `events` makes those that tell of the effect: without it they would not be true. LeaseLost."""
        buffer = self._buffer
        async with buffer.order:
            taken = buffer.take()
            try:
                async with self._db.unit_of_work(self._actor) as uow:
                    value = await effect(uow)
                    own = [(buffer.attempt, event) for event in (events(value) if events else [])]
                    await record(uow, self._fence, [*taken, *own])
            except BaseException:
                buffer.put_back(taken)
                raise
        return value

    async def flush(self) -> None:
        """Store what has been emitted."""
        await self.write(no_effect)


async def no_effect(_: UnitOfWork) -> None:
    """For writes that only change the run's row."""
