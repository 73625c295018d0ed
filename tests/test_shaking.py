from __future__ import annotations

import asyncio

import pytest

from tests.shaking import PLACES, Shaking


async def test_some_tasks_are_held_up_and_others_not(monkeypatch: pytest.MonkeyPatch) -> None:
    held_up = list[asyncio.Task[int] | None]()

    async def sleep(_seconds: float) -> None:
        held_up.append(asyncio.current_task())

    async def work() -> int:
        return await asyncio.to_thread(int)

    shaking = Shaking(["threads"], 1)
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        shaking.install(patch)
        tasks = [asyncio.create_task(work()) for _ in range(20)]
        await asyncio.gather(*tasks)
    assert 0 < len(held_up) < 20
    assert held_up == [task for task in tasks if shaking.is_slow(task)]


async def test_afterwards_everything_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before = (asyncio.to_thread, asyncio.Handle._run)
    with monkeypatch.context() as patch:
        Shaking(list(PLACES), 1).install(patch)
        assert await asyncio.to_thread(int) == 0
        assert (asyncio.to_thread, asyncio.Handle._run) != before
    assert (asyncio.to_thread, asyncio.Handle._run) == before


async def test_the_same_seed_holds_up_the_same_tasks() -> None:
    async def drawn(seed: int) -> list[bool]:
        shaking = Shaking(list(PLACES), seed)
        tasks = [asyncio.create_task(shaking.pause()) for _ in range(20)]
        await asyncio.gather(*tasks)
        return [shaking.is_slow(task) for task in tasks]

    assert await drawn(3) == await drawn(3) != await drawn(4)
