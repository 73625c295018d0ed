"""Renews the leases of all runs this process holds: one statement every three seconds, from a thread with an event loop and a
connection of its own. However slow anything else in the process is, a worker that is alive keeps its runs."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from workroom.core.errors import DatabaseUnavailable
from workroom.db import Database
from workroom.runs import store
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.types import Claim, Renewal

log = logging.getLogger(__name__)

RENEW_SECONDS = 3.0
AGAIN_SECONDS = 0.5  # for rows that another transaction had locked


@dataclass
class Held:
    """A run this process works on, and what may end its work."""

    claim: Claim
    buffer: EventBuffer
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    forbidden: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def lost(self) -> asyncio.Event:
        return self.buffer.lost


class Leases:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._held: dict[UUID, Held] = {}
        self._stop = threading.Event()

    @contextmanager
    def hold(self, claim: Claim, buffer: EventBuffer) -> Iterator[Held]:
        held = self._held[claim.key.run_id] = Held(claim, buffer)
        if claim.stop_requested:  # somebody asked while nobody had it
            held.stop.set()
        try:
            yield held
        finally:
            del self._held[claim.key.run_id]

    @property
    def held(self) -> list[Held]:
        return list(self._held.values())

    def stop_heard(self, run_id: str) -> None:
        """A notification; the next renewal would notice as well, only later."""
        if (held := self._held.get(UUID(run_id))) is not None:
            held.stop.set()

    async def run(self) -> None:
        """Until `stop`."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "leases") as thread:
            try:
                await loop.run_in_executor(thread, self._renew_regularly, loop)
            finally:
                self._stop.set()  # or whoever cancels us would wait for the thread

    def stop(self) -> None:
        self._stop.set()

    def _renew_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        """In the thread. Nothing is asked of the database before there is something to renew."""
        own: Database | None = None
        pause = RENEW_SECONDS
        with asyncio.Runner() as runner:
            while not self._stop.wait(pause):
                pause = RENEW_SECONDS
                if not (held := self.held):
                    continue
                try:
                    own = own or runner.run(self._db.apart())
                    renewals = runner.run(store.renew_many(own, [(one.claim.key, one.claim.epoch) for one in held]))
                except DatabaseUnavailable as error:  # leases may lapse meanwhile; the next write will tell
                    log.warning("leases wait for the database", extra={"reason": error.message})
                except Exception:  # whatever it was, the next renewal comes before they lapse
                    log.exception("leases could not be renewed")
                else:
                    loop.call_soon_threadsafe(_tell, held, renewals)
                    if not all(renewal.renewed for renewal in renewals.values()):
                        pause = AGAIN_SECONDS
            if own is not None:
                runner.run(own.close())


def _tell(asked: list[Held], renewals: dict[UUID, Renewal]) -> None:
    for held in asked:
        renewal = renewals.get(held.claim.key.run_id)
        if renewal is None:
            held.lost.set()
        elif renewal.stop_requested:
            held.stop.set()
