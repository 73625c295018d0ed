"""The scheduler of leased work: its places, what it may carry, and what becomes of work that fails."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from workroom.core.errors import DatabaseUnavailable
from workroom.core.recent_peak import HALVED_SECONDS, RecentPeak
from workroom.db.admission import LONGEST_LAG, LONGEST_POOL_WAIT, Admission
from workroom.db.pool_waits import PoolWaits
from workroom.db.work_scheduler import EMPTY_LOAD, Load, WorkScheduler, WorkSchedulers


@dataclass(frozen=True)
class Waiting:
    mandate_id: UUID
    owner_id: UUID


@dataclass
class Endless:
    """Tasks that end when they are told to, claimed in their order by the rules of `Load`."""

    name = "wait"
    waiting: list[Waiting]
    begun: asyncio.Queue[UUID] = field(default_factory=asyncio.Queue)
    loads: list[Load] = field(default_factory=list)
    end: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, load: Load = EMPTY_LOAD) -> list[Waiting]:
        self.loads.append(load)
        free = [task for task in self.waiting if not (load.is_last_slot and task.owner_id in load.owners)]
        if free:
            self.waiting.remove(free[0])
        return free[:1]

    async def is_wanted(self, task: Waiting) -> bool:
        return True

    async def work(self, task: Waiting) -> None:
        self.begun.put_nowait(task.owner_id)
        await self.end.wait()

    async def release(self, task: Waiting) -> None:
        self.waiting.append(task)

    async def release_failed(self, task: Waiting) -> None:
        self.waiting.append(task)


async def test_the_next_person_finds_a_free_place_however_much_somebody_has() -> None:
    mandate, many, other = uuid4(), uuid4(), uuid4()
    job = Endless([Waiting(mandate, many) for _ in range(1_000)])
    scheduler = WorkScheduler(job, at_once=3)
    running = asyncio.create_task(scheduler.run())
    async with asyncio.timeout(60):
        assert [await job.begun.get() for _ in range(2)] == [many, many]
        job.waiting.append(Waiting(mandate, other))
        scheduler.wake()
        assert await job.begun.get() == other
    await scheduler.close()
    await running
    full = job.loads[2]
    assert (full.mandates, full.owners, full.is_last_slot) == ([mandate] * 2, [many] * 2, True)
    assert job.loads[0] == Load([], [], False)
    assert len(job.waiting) == 1_001, "what was begun is given back"


async def test_a_single_place_is_for_everybody() -> None:
    job = Endless([Waiting(uuid4(), uuid4())])
    schedulers = WorkSchedulers(WorkScheduler(job), WorkScheduler(Endless([])))
    running = asyncio.create_task(schedulers.run())
    async with asyncio.timeout(60):
        await job.begun.get()
    assert not job.loads[0].is_last_slot
    await schedulers.close()
    await running


class Measured(Admission):
    open_ = True

    @property
    def is_open(self) -> bool:
        return self.open_


async def test_a_process_that_is_late_takes_no_more_and_one_that_has_nothing_takes_something() -> None:
    mandate, admission = uuid4(), Measured()
    admission.open_ = False
    job = Endless([Waiting(mandate, uuid4()) for _ in range(5)])
    scheduler = WorkScheduler(job, at_once=10, admission=admission)
    running = asyncio.create_task(scheduler.run())
    async with asyncio.timeout(60):
        await job.begun.get()
        scheduler.wake()
        await asyncio.sleep(0.05)
        assert (job.begun.qsize(), len(job.waiting)) == (0, 4)
        admission.open_ = True
        scheduler.wake()
        for _ in range(4):
            await job.begun.get()
    await scheduler.close()
    await running


def test_admission_is_by_the_lag_of_the_loop_and_the_wait_for_a_connection() -> None:
    waits = [0.0]
    admission = Admission(lambda: waits[0])
    assert admission.is_open
    admission.observe_lag(LONGEST_LAG * 4)
    assert not admission.is_open
    calm = Admission(lambda: waits[0])
    waits[0] = LONGEST_POOL_WAIT * 2
    assert not calm.is_open
    waits[0] = 0.0
    assert calm.is_open


def test_a_peak_fades() -> None:
    clock = [0.0]
    peak = RecentPeak(lambda: clock[0])
    peak.observe(8.0)
    peak.observe(1.0)
    assert peak.value == 8.0
    clock[0] = 2 * HALVED_SECONDS
    assert peak.value == 2.0
    peak.observe(3.0)
    assert peak.value == 3.0


async def test_the_wait_for_a_connection_counts_while_it_lasts() -> None:
    waits, begun, end = PoolWaits(), asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        with waits.measured():
            begun.set()
            await end.wait()

    waiting = asyncio.create_task(wait())
    await begun.wait()
    await asyncio.sleep(0.02)
    assert waits.longest >= 0.02
    end.set()
    await waiting
    assert waits.longest > 0


@dataclass
class Failing(Endless):
    """Fails at once, and cannot be released at first."""

    name = "fail"
    released: asyncio.Event = field(default_factory=asyncio.Event)
    refusals: int = 2

    async def work(self, task: Waiting) -> None:
        raise RuntimeError("broken")

    async def release_failed(self, task: Waiting) -> None:
        if self.refusals:
            self.refusals -= 1
            raise DatabaseUnavailable("away")
        self.released.set()


async def test_what_fails_is_released_as_soon_as_the_database_answers() -> None:
    """Nothing lapses while the process lives."""
    job = Failing([Waiting(uuid4(), uuid4())])
    scheduler = WorkScheduler(job, poll_seconds=0.01)
    running = asyncio.create_task(scheduler.run())
    await asyncio.wait_for(job.released.wait(), 60)
    await scheduler.close()
    await running
    assert job.refusals == 0
