"""Tools that ask a model: billed to the run, within its budgets, several at once, and settled whatever dies meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from decimal import Decimal

import pytest

from tests.runs.bench import RunBench, budget
from tests.world import World
from workroom.agent.testing import ScriptedModel, call, say
from workroom.agent.tool import ToolContext, tool
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.core.money import Price
from workroom.core.results import ToolResult
from workroom.core.run_events import ChunkArrived, CostCounted, RunState, StatusChanged, ToolFinished
from workroom.core.tokens import Usage
from workroom.models.ports import Answer, ModelFailed, ModelInfo, ModelRequest, TextDelta
from workroom.models.types import Operation
from workroom.usage.types import Purpose

PRICED = ModelInfo("acme", "dear", Price(Decimal(100), Decimal(200), Decimal(10)), output_tokens=1000)
EMBEDDED = ModelInfo("workroom", "embedded", PRICED.price, embedded=True)
EACH = (1000 * Decimal(100) + 100 * Decimal(200)) / 1_000_000
PONDER = "Ponder"


@tool("ponder", effect="read", sets={"core"})
async def ponder(ctx: ToolContext, times: int = 1, operation: str = "DATA_ANALYSE") -> str:
    """Ask a model something, several times at once."""
    message = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=PONDER)])
    ctx.report_progress("Pondering")

    def composed(model: ModelInfo) -> ModelRequest:
        return ModelRequest("", (message,), max_output_tokens=500)

    asked = [ctx.ask_model(Operation(operation), composed, Purpose.SUMMARY) for _ in range(times)]
    return " ".join(heard.text for heard in await asyncio.gather(*asked))


class Thinker(ScriptedModel):
    """Speaks by script; ponders by `thoughts`, or for ever when there are none left."""

    def __init__(self, *script: object, thoughts: list[str | Exception], info: ModelInfo = PRICED) -> None:
        super().__init__(*script, info=info)  # type: ignore[arg-type]
        self.used = Usage(1000, 100)
        self.thoughts = thoughts
        self.pondering, self.all_pondering = 0, asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        if request.messages[-1].text != PONDER:
            async for said in super().stream(request):
                yield said
            return
        self.pondering += 1
        if not self.thoughts:
            if self.pondering == 3:
                self.all_pondering.set()
            await asyncio.Event().wait()
        thought = self.thoughts.pop(0)
        if isinstance(thought, Exception):
            raise thought
        yield TextDelta(thought)
        yield Answer([TextPart(text=thought)], self.used, self.info.id)


async def advance(bench: RunBench, model: Thinker) -> tuple[list[object], ToolResult]:
    accepted = await bench.ask()
    async with bench.worker(model, ponder) as runner:
        await runner.advance(bench.key(accepted))
    events = [stored.event for stored in await bench.events(accepted.run_id)]
    [finished] = [event for event in events if isinstance(event, ToolFinished)]
    return list(events), finished.result


async def is_settled(bench: RunBench) -> bool:
    """Every franc of the ledger is in the run's row, and nothing is set aside any more."""
    assert await bench.sql("select count(*) from reservations") == 0
    assert await bench.sql("select coalesce(sum(reserved), 0) from budget_accounts") == 0
    billed = await bench.sql("select sum(cost_chf) from billing")
    return bool(await bench.sql("select sum(cost_chf) from runs") == billed)


@pytest.mark.requirement("C4")
async def test_what_tools_ask_is_billed_to_the_run_and_nobody_reads_along(world: World) -> None:
    bench = RunBench(world)
    model = Thinker([call("ponder", times=3)], say("done"), thoughts=["a", "b", "c"])
    events, result = await advance(bench, model)
    assert sorted(result.message.split()) == ["a", "b", "c"]
    costs = [(event.purpose, event.cost_chf) for event in events if isinstance(event, CostCounted)]
    assert sorted(costs) == [("round", EACH)] * 2 + [("summary", EACH)] * 3
    assert await bench.sql("select cost_chf from runs") == 5 * EACH
    assert await is_settled(bench)
    chunks = "".join(event.text for event in events if isinstance(event, ChunkArrived))
    assert chunks.strip() == "done"
    assert "Pondering" in [event.text for event in events if isinstance(event, StatusChanged)]
    rounds = await bench.rows("select round from billing where purpose = 'summary'")
    assert [row["round"] for row in rounds] == [1, 1, 1]


async def test_a_provider_that_stumbles_is_asked_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.agent.model_calls.RETRY_PAUSES", (0.0, 0.0, 0.0))
    bench = RunBench(world)
    stumbles = ModelFailed("Too much at once.", again=True)
    model = Thinker([call("ponder")], say("done"), thoughts=[stumbles, "at last"])
    events, result = await advance(bench, model)
    assert result.message == "at last"
    assert any("Trying again" in event.text for event in events if isinstance(event, StatusChanged))
    assert await is_settled(bench)


@pytest.mark.requirement("A5")
async def test_the_runs_budget_holds_for_what_tools_ask(world: World) -> None:
    bench = RunBench(world)
    await budget(bench, run="2")
    model = Thinker([call("ponder", times=40)], say("done"), thoughts=["a"] * 40)
    _, result = await advance(bench, model)
    assert result.data["code"] == "budgetExceeded"
    assert 1 <= model.pondering <= 20, "each may cost 0.1"
    assert await is_settled(bench)


async def test_the_embedded_default_is_never_asked_and_blind_models_not_to_look(world: World) -> None:
    bench = RunBench(world)
    _, result = await advance(bench, Thinker([call("ponder")], say("done"), thoughts=["no"], info=EMBEDDED))
    assert result.data["code"] == "noModel"
    assert "Settings → Models" in result.message
    _, result = await advance(bench, Thinker([call("ponder", operation="VISION")], say("done"), thoughts=["no"]))
    assert "look at pictures" in result.message


async def test_a_stopped_run_pays_for_what_its_tools_had_asked(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    model = Thinker([call("ponder", times=3)], thoughts=[])
    async with bench.worker(model, ponder) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await model.all_pondering.wait()
        runner.held_runs.stop_heard(str(accepted.run_id))
        await working
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.state is RunState.STOPPED
    lines = await bench.rows("select outcome, assumed from billing where purpose = 'summary'")
    assert [tuple(line) for line in lines] == [("failed", True)] * 3
    assert await is_settled(bench)


@pytest.mark.requirement("A12")
async def test_what_tools_had_asked_when_the_worker_died_is_settled_by_the_next(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    model = Thinker([call("ponder", times=3)], thoughts=[])
    async with bench.worker(model, ponder) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await model.all_pondering.wait()
        await bench.sql("update runs set epoch = epoch + 1")  # somebody else has the run now
        working.cancel()
        await asyncio.wait([working])
    assert await bench.sql("select count(*) from reservations") == 3
    await bench.sql("update runs set lease_holder = null, not_before = null")
    again = Thinker(say("done"), thoughts=["a", "b", "c"])
    async with bench.worker(again, ponder) as runner:
        await runner.advance(bench.key(accepted))
    outcomes = await bench.rows("select outcome from billing where purpose = 'summary' order by at")
    assert [row["outcome"] for row in outcomes] == ["lost"] * 3 + ["answered"] * 3
    assert await is_settled(bench)


@tool("hasty", effect="read", sets={"core"}, seconds=2)  # enough for the question to be on its way
async def hasty(ctx: ToolContext) -> str:
    """Ponders for longer than it may."""
    return str(await ponder.run(ctx, times=1))


async def test_a_tool_that_took_too_long_has_paid_for_what_it_asked(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    async with bench.worker(Thinker([call("hasty")], say("done"), thoughts=[]), ponder, hasty) as runner:
        await runner.advance(bench.key(accepted))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED
    assert await bench.sql("select count(*) from billing where purpose = 'summary' and assumed") == 1
    assert await is_settled(bench)
