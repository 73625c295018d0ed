"""What runs cost, on a real database: every call is paid, also those nobody heard the end of, and budgets hold."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from tests.runs.bench import PRICED, RunBench, budget
from tests.world import World
from workroom.agent.model_calls import size_of
from workroom.agent.testing import ScriptedModel, call, say
from workroom.core.money import Price
from workroom.core.run_events import CostCounted, RunState, Summarised
from workroom.core.tokens import Usage, estimate
from workroom.models.ports import HiddenDelta, ModelInfo, TextDelta

ASSUMED = ModelInfo("acme", "mystery", Price(Decimal(10), Decimal(10), Decimal(10), assumed=True))


async def advance(
    bench: RunBench, accepted: Any, *script: Any, info: ModelInfo = PRICED, used: Usage | None = None
) -> None:
    model = ScriptedModel(*script, info=info)
    model.used = used or Usage(1000, 100, 400)
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(accepted))


@pytest.mark.requirement("C4")
@pytest.mark.requirement("M2")
async def test_every_call_is_billed_with_its_purpose_and_cached_tokens_at_their_price(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    await advance(bench, accepted, [call("currentTime")], say("noon"))
    each = (600 * Decimal(100) + 400 * Decimal(10) + 100 * Decimal(200)) / 1_000_000
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.cost_chf, run.cost_assumed, run.model) == (2 * each, False, "dear")
    events = [e.event for e in await bench.events(accepted.run_id)]
    costs = [e for e in events if isinstance(e, CostCounted)]
    assert [(c.purpose, c.cost_chf, c.cached_tokens) for c in costs] == [("round", each, 400)] * 2
    (summary,) = [e for e in events if isinstance(e, Summarised)]
    assert (summary.cost_chf, summary.model) == (2 * each, "dear")
    assert await bench.sql("select count(*) from billing") == 2
    assert await bench.sql("select sum(reserved) from budget_accounts") == 0
    assert await bench.sql("select array_agg(distinct spent) from budget_accounts") == [2 * each]


async def test_an_assumed_price_is_shown_as_such(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    await advance(bench, accepted, say("hello"), info=ASSUMED)
    assert (await bench.runs.get(bench.principal, accepted.run_id)).cost_assumed


async def test_what_the_provider_did_not_count_is_estimated(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    await advance(bench, accepted, say("hello there you"), used=Usage())
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.cost_assumed
    assert run.output_tokens == estimate("hello there you ")


@pytest.mark.requirement("A5")
@pytest.mark.parametrize(
    ("scope", "word"),
    [("run", "this answer"), ("workflow", "this conversation"), ("user", "for today"), ("mandate", "organisation")],
)
async def test_each_budget_stops_a_run_with_last_words(world: World, scope: str, word: str) -> None:
    bench = RunBench(world)
    await budget(bench, **{scope: "0.0001"})
    accepted = await bench.ask()
    await advance(bench, accepted, say("never heard"))
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.state, run.ending, run.cost_chf) == (RunState.BUDGET, "budget", Decimal(0))
    stored = await world.services.conversations.messages(bench.principal, bench.lab, accepted.conversation_id)
    assert word in stored[-1].message.text
    assert (await bench.events(accepted.run_id))[-1].event.type == "complete"


@pytest.mark.requirement("A5")
async def test_an_agents_own_cap_holds_over_the_whole_conversation(world: World) -> None:
    bench = RunBench(world, max_cost_chf=Decimal(5))
    first = await bench.ask()
    await advance(bench, first, say("dear words"), used=Usage(1000, 24_000))
    second = await bench.ask(conversation_id=first.conversation_id)
    await advance(bench, second, say("too dear"), used=Usage(1000, 24_000))
    states = [(await bench.runs.get(bench.principal, run)).state for run in (first.run_id, second.run_id)]
    assert states == [RunState.COMPLETED, RunState.BUDGET]


@pytest.mark.requirement("A12")
async def test_a_call_that_was_lost_with_its_process_is_paid_by_estimate_and_repeated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()

    class Dying(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            async for said in super().stream(request):
                yield said
                await bench.sql("update runs set epoch = epoch + 1")  # somebody else has the run now
                await asyncio.Event().wait()

    async with bench.worker(Dying(say("half a word"), info=PRICED)) as runner:
        await runner.advance(bench.key(accepted))
    assert await bench.sql("select count(*) from reservations") == 1
    await bench.sql("update runs set lease_holder = null, not_before = null")
    await advance(bench, accepted, say("whole"))
    lines = await bench.rows("select outcome, assumed, output_tokens from billing order by at")
    assert [line["outcome"] for line in lines] == ["lost", "answered"]
    assert lines[0]["assumed"]
    assert await bench.sql("select count(*) from reservations") == 0
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.cost_chf == await bench.sql("select sum(cost_chf) from billing")


@pytest.mark.parametrize("kind", [TextDelta, HiddenDelta])
async def test_a_stopped_call_is_paid_for_what_was_heard(world: World, kind: type[TextDelta | HiddenDelta]) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    speaking = asyncio.Event()

    class Dripping(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            yield kind("x" * 2_000)
            yield kind("x" * 2_000)
            speaking.set()
            await asyncio.Event().wait()

    async with bench.worker(Dripping(info=PRICED)) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await speaking.wait()
        runner.held_runs.stop_heard(str(accepted.run_id))
        await working
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.state is RunState.STOPPED
    assert run.cost_chf > 0
    assert await bench.sql("select output_tokens from billing") == 1_000
    assert await bench.sql("select count(*) from reservations") == 0


class Greedy(ScriptedModel):
    """Uses all it is granted, and not a token more."""

    async def stream(self, request: Any) -> Any:
        self.used = Usage(size_of(request), request.max_output_tokens)
        async for said in super().stream(request):
            yield said


@pytest.mark.requirement("M2")
async def test_many_runs_at_once_never_spend_more_than_the_budget(world: World) -> None:
    """Drill R7, small: every run of the same person, against the same daily budget."""
    bench = RunBench(world)
    await budget(bench, user="1", run="1", workflow="1")
    asked = [await bench.ask(f"number {n}") for n in range(20)]
    model = Greedy(*[say("words")] * 60, info=PRICED)
    async with bench.worker(model) as runner:
        await asyncio.gather(*[runner.advance(bench.key(accepted)) for accepted in asked])
    spent = await bench.sql("select spent from budget_accounts where scope = 'user'")
    assert Decimal("0.5") < spent <= Decimal(1)
    assert await bench.sql("select sum(reserved) from budget_accounts") == 0
    states = [(await bench.runs.get(bench.principal, accepted.run_id)).state for accepted in asked]
    assert set(states) == {RunState.COMPLETED, RunState.BUDGET}


async def until(bench: RunBench, is_so: str) -> None:
    """There is no event for what another transaction sees."""
    async with asyncio.timeout(60):
        while not await bench.sql(is_so):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class Frugal(ScriptedModel):
    """Has much to write and writes little, when it is let."""

    def __init__(self, *script: Any, **more: Any) -> None:
        super().__init__(*script, **more)
        self.let = asyncio.Event()
        self.used = Usage(10, 10)

    async def stream(self, request: Any) -> Any:
        answering = super().stream(request)
        await self.let.wait()
        async for said in answering:
            yield said


@pytest.mark.requirement("M2")
async def test_answers_that_cost_little_do_not_end_for_what_others_have_set_aside(world: World) -> None:
    bench = RunBench(world)
    await budget(bench, user="0.7", run="1", workflow="1")
    asked = [await bench.ask(f"number {n}") for n in range(8)]
    model = Frugal(*[say("words")] * 8, info=replace(PRICED, output_tokens=1500))
    async with bench.worker(model) as runner:
        working = asyncio.gather(*[runner.advance(bench.key(accepted)) for accepted in asked])
        await until(bench, "select sum(reserved) > 0 from budget_accounts where scope = 'user'")
        model.let.set()
        await asyncio.wait_for(working, 60)
    states = [(await bench.runs.get(bench.principal, accepted.run_id)).state for accepted in asked]
    assert set(states) == {RunState.COMPLETED}
    assert await bench.sql("select sum(spent) from budget_accounts where scope = 'user'") < Decimal("0.1")
    assert await bench.sql("select sum(reserved) from budget_accounts") == 0


@pytest.mark.requirement("M2")
async def test_a_model_that_could_write_very_much_leaves_room_for_others(world: World) -> None:
    """Each may be cut, none takes all."""
    bench = RunBench(world)
    await budget(bench, user="5", run="5", workflow="5")
    asked = [await bench.ask(f"number {n}") for n in range(3)]
    model = Frugal(*[say("words")] * 3, info=replace(PRICED, output_tokens=100_000))  # 20 francs
    async with bench.worker(model) as runner:
        working = asyncio.gather(*[runner.advance(bench.key(accepted)) for accepted in asked])
        await until(bench, "select count(*) = 3 from reservations")
        model.let.set()
        await asyncio.wait_for(working, 60)
    assert [(await bench.runs.get(bench.principal, one.run_id)).state for one in asked] == [RunState.COMPLETED] * 3


async def test_deleting_the_conversation_does_not_make_its_answer_free(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    speaking = asyncio.Event()

    class Long(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            async for said in super().stream(request):
                yield said
                speaking.set()
                await asyncio.sleep(0)

    model = Long(say("word " * 2000), info=PRICED)
    model.used = Usage(1000, 1000)
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await speaking.wait()
        await world.services.conversations.delete(bench.principal, bench.lab, accepted.conversation_id)
        await world.services.conversations.purge(bench.principal, bench.lab, accepted.conversation_id)
        await asyncio.wait_for(working, 60)
    assert await bench.sql("select count(*) from reservations") == 0
    assert await bench.sql("select count(*) from billing where cost_chf > 0") == 1
