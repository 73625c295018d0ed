"""Stores the events of all runs of a process in one transaction every 50 ms: streaming costs the database little, however many
runs there are."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.runs import event_store
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.types import AttemptEvents, Fence

log = logging.getLogger(__name__)

TICK_SECONDS = 0.05
AWAY_SECONDS = 0.5


class EventFlusher:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._pending: set[EventBuffer] = set()
        self._has_pending = asyncio.Event()
        self._stop = asyncio.Event()

    def mark_pending(self, buffer: EventBuffer) -> None:
        self._pending.add(buffer)
        self._has_pending.set()

    async def run(self) -> None:
        while not self._stop.is_set():
            await self._has_pending.wait()
            pause = TICK_SECONDS
            try:
                await self.tick()
            except DatabaseUnavailable as error:
                log.warning("events wait for the database", extra={"reason": error.message})
                pause = AWAY_SECONDS
            except Exception:  # they are put back, and stored with the next tick
                log.exception("events could not be stored")
                pause = AWAY_SECONDS
            await wait_for(self._stop, pause)

    def stop(self) -> None:
        self._stop.set()
        self._has_pending.set()

    async def tick(self) -> None:
        """Stores the buffered events. A buffer that is just being written stores its events itself, in order."""
        self._has_pending.clear()
        buffers = [buffer for buffer in self._pending if not buffer.order.locked()]
        self._pending -= set(buffers)
        async with AsyncExitStack() as stack:
            for buffer in buffers:
                await stack.enter_async_context(buffer.order)
            taken = {buffer: events for buffer in buffers if (events := buffer.take())}
            try:
                if taken:
                    await self._store(taken)
            except BaseException:
                for buffer, events in taken.items():
                    buffer.put_back(events)
                    self.mark_pending(buffer)
                raise
        if self._pending:
            self._has_pending.set()

    async def _store(self, taken: dict[EventBuffer, AttemptEvents]) -> None:
        emitted = [(Fence(buffer.key, buffer.epoch), events) for buffer, events in taken.items()]
        held = await event_store.append_many(self._db, emitted)
        for buffer in taken:
            if buffer.key.run_id not in held:
                buffer.lost.set()
