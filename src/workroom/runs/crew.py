"""The scheduler of a worker process: gives its slots to the runs that wait, in fair order. A bell says that something is new,
a regular look finds what no bell told of: a lost one, a dead worker, a lease that lapsed."""

from __future__ import annotations

import asyncio
import logging

from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.runs import store
from workroom.runs.runner import Runner
from workroom.runs.types import Claim

log = logging.getLogger(__name__)

AT_ONCE = 200
BATCH = 10  # taken at a look: of a hundred that come together, other workers get their share
LOOK_SECONDS = 2.0


class Crew:
    """`per_person`: how many answers of one person are made at once, on all workers together."""

    def __init__(self, db: Database, runner: Runner, per_person: int, at_once: int = AT_ONCE) -> None:
        self._db = db
        self._runner = runner
        self._per_person = per_person
        self._at_once = at_once
        self._busy: set[asyncio.Task[None]] = set()
        self._bell, self._stop = asyncio.Event(), asyncio.Event()

    async def rung(self, _: bytes) -> None:
        """The queue's handler. Which run rang does not matter: whose turn it is, is in the rows."""
        self._bell.set()

    async def run(self) -> None:
        """Until `stop`; then every run is given back, so that another worker takes it at once."""
        while not self._stop.is_set():
            self._bell.clear()  # before looking, not after: who rings in between is heard
            try:
                await self._fill_slots()
            except (Conflict, DatabaseUnavailable):
                pass  # the next look is soon
            except Exception:
                log.exception("waiting runs could not be found")
            await wait_for(self._bell, LOOK_SECONDS)
        for task in self._busy:
            task.cancel()
        if self._busy:
            await asyncio.wait(self._busy)

    def stop(self) -> None:
        self._stop.set()
        self._bell.set()

    async def _fill_slots(self) -> None:
        if (most := min(BATCH, self._at_once - len(self._busy))) <= 0:
            return
        claims = await store.claim(self._db, most, self._per_person)
        if len(claims) == most:
            self._bell.set()  # there may be more
        for claim in claims:
            task = asyncio.create_task(self._work(claim), name=f"run {claim.key.run_id}")
            self._busy.add(task)
            task.add_done_callback(self._freed)

    def _freed(self, task: asyncio.Task[None]) -> None:
        self._busy.discard(task)
        self._bell.set()

    async def _work(self, claim: Claim) -> None:
        try:
            await self._runner.work(claim)
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("a run waits for another try", extra={"run": str(claim.key.run_id), "reason": error.message})
        except Exception:
            log.exception("a run could not be advanced", extra={"run": str(claim.key.run_id)})
