"""The runs a worker process is busy with: as many at once as it can hold, each begun by a doorbell or by the sweeper."""

from __future__ import annotations

import asyncio
import logging

from workroom.core.actors import SystemActor
from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.runs import store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.runner import Runner
from workroom.runs.types import RunKey

log = logging.getLogger(__name__)

AT_ONCE = 200
SWEEP_SECONDS = 2.0


class Crew:
    def __init__(self, db: Database, runner: Runner, at_once: int = AT_ONCE) -> None:
        self._db = db
        self._runner = runner
        self._slots = asyncio.Semaphore(at_once)
        self._busy: dict[RunKey, asyncio.Task[None]] = {}
        self._stop = asyncio.Event()

    async def rung(self, payload: bytes) -> None:
        """The queue's handler. It only begins the work: the run's row is the truth, not the job."""
        key = RunKey.decode(payload)
        if key in self._busy or self._stop.is_set():
            return
        self._busy[key] = task = asyncio.create_task(self._in_turn(key), name=f"advance {key.run_id}")
        task.add_done_callback(lambda _: self._busy.pop(key, None))

    async def sweep(self) -> None:
        """Ring again for what was left behind: a lost bell, a dead worker, a lease that lapsed."""
        while not await wait_for(self._stop, SWEEP_SECONDS):
            try:
                async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
                    for key in await store.left_behind(uow, limit=100):
                        if key not in self._busy:
                            await uow.ring(RUN_JOB, key.encode())
            except DatabaseUnavailable:
                pass  # the next sweep is soon
            except Exception:
                log.exception("the sweeper stumbled")

    async def close(self) -> None:
        """Give every run back, so that another worker takes it at once."""
        self._stop.set()
        for task in list(self._busy.values()):
            task.cancel()
        if self._busy:
            await asyncio.wait(set(self._busy.values()))

    async def _in_turn(self, key: RunKey) -> None:
        """As many at once as there are slots; the others wait their turn, each once."""
        async with self._slots:
            if not self._stop.is_set():
                await self._work(key)

    async def _work(self, key: RunKey) -> None:
        try:
            await self._runner.advance(key)
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("a run waits for another try", extra={"run": str(key.run_id), "reason": error.message})
        except Exception:
            log.exception("a run could not be advanced", extra={"run": str(key.run_id)})
