"""The runs this process works on, and what may end that from outside: a request to stop, a lost lease, lost rights.

The lease itself is kept by the heartbeat of the process (db/heartbeat.py). What happened to the runs meanwhile is asked every
three seconds, for all of them in one statement; a request to stop is notified as well.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.runs import store
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.types import Claim

log = logging.getLogger(__name__)

CHECK_SECONDS = 3.0


@dataclass
class HeldRun:
    """A run this process works on, and what may end its work."""

    claim: Claim
    buffer: EventBuffer
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    forbidden: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def lost(self) -> asyncio.Event:
        return self.buffer.lost


class HeldRuns:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._held: dict[UUID, HeldRun] = {}
        self._stop = asyncio.Event()

    @contextmanager
    def hold(self, claim: Claim, buffer: EventBuffer) -> Iterator[HeldRun]:
        held = self._held[claim.key.run_id] = HeldRun(claim, buffer)
        if claim.stop_requested:  # while no worker had it
            held.stop.set()
        try:
            yield held
        finally:
            if self._held.get(claim.key.run_id) is held:  # it may have been lost and claimed again by this process
                del self._held[claim.key.run_id]

    @property
    def held(self) -> list[HeldRun]:
        return list(self._held.values())

    def stop_heard(self, run_id: str) -> None:
        """A notification; the next check would notice as well, only later."""
        if (held := self._held.get(UUID(run_id))) is not None:
            held.stop.set()

    async def run(self) -> None:
        """Until `stop`."""
        while not await wait_for(self._stop, CHECK_SECONDS):
            try:
                await self.check()
            except DatabaseUnavailable as error:  # every write checks the lease by itself
                log.warning("leases wait for the database", extra={"reason": error.message})
            except Exception:
                log.exception("leases could not be checked")

    def stop(self) -> None:
        self._stop.set()

    async def check(self) -> None:
        if not (checked := self.held):
            return
        stop_requested = await store.still_held(self._db, [(held.claim.key, held.claim.epoch) for held in checked])
        for held in checked:
            run_id = held.claim.key.run_id
            if run_id not in stop_requested:
                held.lost.set()
            elif stop_requested[run_id]:
                held.stop.set()
