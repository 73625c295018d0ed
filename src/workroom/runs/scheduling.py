"""Runs as leased work: which are next, who works on them, and what becomes of those that fail."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.actors import UserActor
from workroom.db import Database
from workroom.db.admission import ALWAYS_OPEN, Admission
from workroom.db.work_scheduler import Load, WorkScheduler
from workroom.runs import store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.runner import Runner
from workroom.runs.types import Claim

# A run mostly waits for its model. How many a process really works on is decided by what it can carry (db/admission.py).
AT_ONCE = 1_000
BATCH = 10  # claimed by one statement: of a hundred that come together, other workers get their share
POLL_SECONDS = 2.0


class RunWork:
    """`per_person`: how many answers of one person are made at once, on all workers together."""

    name = "answer"

    def __init__(self, db: Database, runner: Runner, per_person: int) -> None:
        self._db, self._runner, self._per_person = db, runner, per_person

    async def take(self, load: Load) -> Sequence[Claim]:
        return await store.claim(self._db, load.most, self._per_person)

    async def is_wanted(self, task: Claim) -> bool:
        return True  # asked for all runs at once (held_runs.py)

    async def work(self, task: Claim) -> None:
        await self._runner.work(task)

    async def release(self, task: Claim) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id, task.user_id)) as uow:
            if await store.release(uow, task.key, task.epoch):
                await uow.wake(RUN_JOB)

    async def release_failed(self, task: Claim) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id, task.user_id)) as uow:
            await store.release_failed(uow, task.key, task.epoch)


def run_scheduler(
    db: Database, runner: Runner, per_person: int, at_once: int = AT_ONCE, admission: Admission = ALWAYS_OPEN
) -> WorkScheduler[Claim]:
    work = RunWork(db, runner, per_person)
    return WorkScheduler(work, at_once, batch=BATCH, poll_seconds=POLL_SECONDS, check_seconds=None, admission=admission)
