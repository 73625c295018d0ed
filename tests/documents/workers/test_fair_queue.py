"""FairQueue: in order within a lane, lanes in turn, nothing lost when a waiter is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from workroom.core.errors import Conflict
from workroom.documents.workers.fair_queue import FairQueue


async def test_in_order_within_a_lane_and_lanes_in_turn() -> None:
    queue, order, held = FairQueue(1), [], asyncio.Event()

    async def go(name: str, lane: str) -> None:
        async with queue.acquire(lane):
            order.append(name)
            await held.wait()

    tasks = [asyncio.create_task(go(f"{lane}{number}", lane)) for lane in "abc" for number in range(3)]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(*tasks)
    assert order == ["a0", "a1", "b0", "c0", "a2", "b1", "c1", "b2", "c2"]


@pytest.mark.parametrize("given", [False, True])
async def test_a_cancelled_waiter_passes_its_slot_on(given: bool) -> None:
    queue, first_may_go = FairQueue(1), asyncio.Event()

    async def hold() -> None:
        async with queue.acquire():
            await first_may_go.wait()

    async def quick() -> str:
        async with queue.acquire():
            return "done"

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    quitter, patient = asyncio.create_task(quick()), asyncio.create_task(quick())
    await asyncio.sleep(0)
    if given:
        first_may_go.set()
        await holding  # the slot belongs to the cancelled waiter now, which has not run yet
    quitter.cancel()
    first_may_go.set()
    assert await asyncio.wait_for(patient, 60) == "done"
    async with asyncio.timeout(60), queue.acquire():
        pass


async def test_waiting_in_vain_is_told() -> None:
    queue = FairQueue(1)
    async with queue.acquire():
        waiting = asyncio.create_task(queue.acquire("x").__aenter__())
        await asyncio.sleep(0)
        queue.fail(Conflict("closing"))
        with pytest.raises(Conflict):
            await waiting


async def test_one_person_does_not_hold_every_reader() -> None:
    queue, release, served = FairQueue(2), asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with queue.acquire("mallory"):
            await release.wait()

    async def page() -> None:
        async with queue.acquire("bob"):
            served.set()

    tasks = [asyncio.create_task(work) for work in (slow(), slow(), slow(), page())]
    for _ in range(20):
        await asyncio.sleep(0)
    reached = served.is_set()
    release.set()
    await asyncio.gather(*tasks)
    assert reached
