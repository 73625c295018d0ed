"""A run acts with the rights its owner has now, and its results are read only where they belong."""

from __future__ import annotations

import asyncio

import pytest

from tests.runs.bench import RunBench, Waiting
from tests.runs.pausing import paused, waiting_call
from tests.world import World
from workroom.agent.testing import call, say
from workroom.core.errors import NotFound
from workroom.core.pauses import Confirmed


async def test_tools_act_with_the_rights_their_owner_has_now(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    model = Waiting([call("writeNote", title="too late", text="x")], say("done"))
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await model.asked.wait()
        await world.services.instances.remove_member(world["alice"].principal, bench.lab, world["bob"].user.id)
        model.let.set()
        await working
    assert await bench.sql("select count(*) from notes") == 0
    assert await bench.sql("select state from runs") == "error"


async def test_who_left_the_workspace_reads_and_answers_nothing_there(world: World) -> None:
    bench = RunBench(world)
    accepted = await paused(bench, call("askedNote", title="x"))
    call_id = await waiting_call(bench, accepted)
    await world.services.instances.remove_member(world["alice"].principal, bench.lab, world["bob"].user.id)
    principal = await world.services.sign_in.as_user(world.acme.id, world["bob"].user.id)
    assert principal is not None
    with pytest.raises(NotFound):
        await world.services.conversations.get(principal, bench.lab, accepted.conversation_id)
    with pytest.raises(NotFound):
        await bench.runs.events(principal, accepted.run_id, 0)
    with pytest.raises(NotFound):
        await bench.runs.answer(principal, accepted.run_id, call_id, Confirmed(accepted=True))


async def test_results_are_read_again_only_where_they_were_found(world: World) -> None:
    bench = RunBench(world)
    asked = call("currentTime")
    accepted = await bench.ask()
    await bench.advance(accepted, [asked], say("noon"))
    elsewhere = await bench.ask("another conversation")
    with pytest.raises(NotFound):
        await bench.runs.result(bench.principal, elsewhere.conversation_id, asked.call_id)
    assert await bench.runs.result(bench.principal, accepted.conversation_id, asked.call_id)
