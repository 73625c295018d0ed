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
        self._voices: set[EventBuffer] = set()
        self._something = asyncio.Event()
        self._stop = asyncio.Event()

    def spoke(self, voice: EventBuffer) -> None:
        self._voices.add(voice)
        self._something.set()

    async def run(self) -> None:
        while not self._stop.is_set():
            await self._something.wait()
            pause = TICK_SECONDS
            try:
                await self.tick()
            except DatabaseUnavailable as error:
                log.warning("events wait for the database", extra={"reason": error.message})
                pause = AWAY_SECONDS
            except Exception:  # they are put back, and told with the next tick
                log.exception("events could not be stored")
                pause = AWAY_SECONDS
            await wait_for(self._stop, pause)

    def stop(self) -> None:
        self._stop.set()
        self._something.set()

    async def tick(self) -> None:
        """Store what has been said. A voice that is just writing stores its words itself, in order."""
        self._something.clear()
        voices = [voice for voice in self._voices if not voice.order.locked()]
        self._voices -= set(voices)
        async with AsyncExitStack() as stack:
            for voice in voices:
                await stack.enter_async_context(voice.order)
            taken = {voice: words for voice in voices if (words := voice.take())}
            try:
                if taken:
                    await self._store(taken)
            except BaseException:
                for voice, words in taken.items():
                    voice.put_back(words)
                    self.spoke(voice)
                raise
        if self._voices:
            self._something.set()

    async def _store(self, taken: dict[EventBuffer, AttemptEvents]) -> None:
        emitted = [(Fence(voice.key, voice.epoch), words) for voice, words in taken.items()]
        held = await event_store.append_many(self._db, emitted)
        for voice in taken:
            if voice.key.run_id not in held:
                voice.lost.set()
