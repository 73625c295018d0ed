"""Several tasks at once: the last free place is kept for somebody who has none yet."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from workroom.core.taking import NOTHING, Load, Taker, Takers


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

    async def claim(self, load: Load = NOTHING) -> Waiting | None:
        self.loads.append(load)
        free = [task for task in self.waiting if not (load.is_last_place and task.owner_id in load.owners)]
        if free:
            self.waiting.remove(free[0])
        return free[0] if free else None

    async def hold(self, task: Waiting) -> bool:
        return True

    async def work(self, task: Waiting) -> None:
        self.begun.put_nowait(task.owner_id)
        await self.end.wait()

    async def give_back(self, task: Waiting) -> None:
        self.waiting.append(task)


async def test_the_next_person_finds_a_free_place_however_much_somebody_has() -> None:
    mandate, many, other = uuid4(), uuid4(), uuid4()
    job = Endless([Waiting(mandate, many) for _ in range(1_000)])
    taker = Taker(job, at_once=3)
    running = asyncio.create_task(taker.run())
    async with asyncio.timeout(60):
        assert [await job.begun.get() for _ in range(2)] == [many, many]
        job.waiting.append(Waiting(mandate, other))
        await taker.rung()
        assert await job.begun.get() == other
    await taker.close()
    await running
    full = job.loads[2]
    assert (full.mandates, full.owners, full.is_last_place) == ([mandate] * 2, [many] * 2, True)
    assert job.loads[0] == Load([], [], False)
    assert len(job.waiting) == 1_001, "what was begun is given back"


async def test_a_single_place_is_for_everybody() -> None:
    job = Endless([Waiting(uuid4(), uuid4())])
    takers = Takers(Taker(job), Taker(Endless([])))
    running = asyncio.create_task(takers.run())
    async with asyncio.timeout(60):
        await job.begun.get()
    assert not job.loads[0].is_last_place
    await takers.close()
    await running
