"""Events are flushed and delivered by loops that serve all runs: no deadlock, and no error that ends them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.runs.bench import RunBench, Waiting
from tests.world import World
from workroom.agent.testing import say
from workroom.core.errors import Conflict
from workroom.runs import event_store, store
from workroom.runs.feed import Feed
from workroom.runs.types import Fence, RunKey


async def test_streams_and_leases_do_not_wait_for_each_other_in_a_circle(world: World) -> None:
    bench = RunBench(world)
    keys = [bench.key(await bench.ask(f"number {n}")) for n in range(30)]
    await bench.sql("update runs set state = 'running', epoch = 1")

    async def tell(order: list[RunKey]) -> None:
        for _ in range(15):
            await event_store.append_many(bench.db, [(Fence(key, 1), []) for key in order])

    async def claim() -> None:
        for _ in range(15):
            await bench.sql(
                "with locked as (select run_id from runs order by run_id for no key update) update runs r"
                " set lease_holder = null, not_before = null, epoch = 1 from locked l where l.run_id = r.run_id"
            )
            await store.claim(bench.db, 30, 30)

    async with asyncio.timeout(60):
        await asyncio.gather(tell(keys), claim(), tell(keys[::-1]))
    held = "select count(*) from runs where state = 'running' and lease_holder is not null"
    assert await bench.sql(held) == len(keys)


@pytest.mark.parametrize("loop", ["flusher", "feed"])
async def test_nothing_unforeseen_ends_the_loops_that_everybody_needs(
    world: World, monkeypatch: pytest.MonkeyPatch, loop: str
) -> None:
    bench, failed = RunBench(world), asyncio.Event()
    accepted = await bench.ask()

    async def stumbling(*_: Any) -> Any:
        monkeypatch.undo()
        failed.set()
        raise Conflict("two at once")

    if loop == "flusher":
        monkeypatch.setattr(event_store, "append_many", stumbling)
        model = Waiting(say("one two three"))
        model.let.set()
        async with bench.worker(model) as runner:
            await runner.advance(bench.key(accepted))
        assert failed.is_set()
        events = await bench.events(accepted.run_id)
        assert [event.seq for event in events] == list(range(1, len(events) + 1)), "gapless"
        assert events[-1].event.type == "complete"
        assert "".join(e.event.text for e in events if e.event.type == "chunk").strip() == "one two three"
        return
    feed: Feed = world.services.feed
    assert bench.principal.user_id is not None
    with feed.subscribe(bench.principal.user_id, asyncio.Event()) as subscription:
        monkeypatch.setattr(event_store, "events_of_many", stumbling)
        await bench.advance(accepted, say("hello"))
        await asyncio.wait_for(failed.wait(), 60)
        heard: list[Any] = []
        async with asyncio.timeout(60):
            while not any(event.event.type == "complete" for event in heard):
                heard += subscription.take()
                await asyncio.sleep(0.01)
    assert [event.seq for event in heard] == list(range(1, len(heard) + 1))
