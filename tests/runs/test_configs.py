"""How agents work in a workspace, and how far one request may go."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.config import AgentConfig, AgentWishes
from workroom.agent.testing import call, say
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.run_events import RunState
from workroom.identity.types import InstanceStatus
from workroom.models.types import Operation
from workroom.runs.configs import AgentConfigs
from workroom.runs.service import Input


@pytest.mark.requirement("A16")
async def test_what_is_shipped(world: World) -> None:
    bench = RunBench(world)
    config = await AgentConfigs(bench.db).get(bench.principal, bench.lab)
    assert config.model_dump(by_alias=True) == {
        "maxRounds": 25,
        "maxCostCHF": None,
        "entityCacheEnabled": False,
        "entityCacheByModel": False,
        "toolSet": "core",
        "operationType": "AGENT",
        "defaultAgentId": None,
        "confirmUntrustedWrites": True,
    }


@pytest.mark.requirement("A16")
async def test_a_workspace_and_a_request_set_limits_of_their_own(world: World) -> None:
    bench = RunBench(world)
    configs, admin = AgentConfigs(bench.db), world["alice"].principal
    await configs.put(admin, bench.lab, AgentConfig(max_rounds=2))
    accepted = await bench.ask()
    await bench.advance(accepted, *[[call("currentTime", timezone=f"Etc/GMT+{n}")] for n in range(2)], say("the end"))
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.state, run.rounds) == (RunState.MAX_ROUNDS, 2)
    accepted = await bench.ask(wishes=AgentWishes(max_rounds=1))
    await bench.advance(accepted, [call("currentTime")], say("the end"))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).rounds == 1


@pytest.mark.requirement("A16")
@pytest.mark.parametrize(
    ("wishes", "field"),
    [
        (AgentWishes(max_rounds=26), "maxRounds"),
        (AgentWishes(max_cost_chf=Decimal(3)), "maxCostCHF"),
        (AgentWishes(tool_set="playground"), "toolSet"),
        (AgentWishes(entity_cache_enabled=True), "entityCacheEnabled"),
        (AgentWishes(entity_cache_by_model=True), "entityCacheByModel"),
        (AgentWishes(operation_type=Operation.VISION), "operationType"),
    ],
)
async def test_a_request_cannot_go_beyond_its_workspace_unless_its_sender_may_change_that(
    world: World, wishes: AgentWishes, field: str
) -> None:
    bench = RunBench(world)
    admin = world["alice"].principal
    await AgentConfigs(bench.db).put(admin, bench.lab, AgentConfig(max_cost_chf=Decimal(2)))
    with pytest.raises(Forbidden, match=field):
        await bench.ask(wishes=wishes)
    assert await bench.runs.input(admin, bench.lab, Input("hello", wishes=wishes))


async def test_who_may_change_it(world: World) -> None:
    bench = RunBench(world)
    configs = AgentConfigs(bench.db)
    for name, error in (("bob", Forbidden), ("rita", Forbidden), ("olaf", NotFound), ("zoe", NotFound)):
        with pytest.raises(error):
            await configs.put(world[name].principal, bench.lab, AgentConfig(max_rounds=3))
    with pytest.raises(InvalidInput):
        await configs.put(world["alice"].principal, bench.lab, AgentConfig(tool_set="playground"))
    with pytest.raises(ValidationError, match="there are these tool sets"):
        AgentConfig(tool_set="nonsense")


@pytest.mark.requirement("D6")
async def test_the_language_and_the_model_are_the_requests(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask(language="pt", model="openai/gpt-5")
    model = await bench.advance(accepted, say("sim"))
    assert "Portuguese" in model.requests[0].system
    again = await bench.runs.retry(
        bench.principal, bench.lab, accepted.conversation_id, model="google/gemini-2.5-flash"
    )
    model = await bench.advance(again, say("sim"))
    assert "Portuguese" in model.requests[0].system, "an answer again is in the same language"
    stored = await bench.rows("select agent->>'model' as model from runs order by created_at")
    assert [row["model"] for row in stored] == ["openai/gpt-5", "google/gemini-2.5-flash"]


async def test_an_answer_again_keeps_what_the_first_was_asked_with(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask(wishes=AgentWishes(max_rounds=3, max_cost_chf=Decimal("0.5")))
    await bench.advance(accepted, say("one"))
    await bench.runs.retry(bench.principal, bench.lab, accepted.conversation_id)
    kept = await bench.rows("select agent->>'maxRounds' as rounds, agent->>'maxCostChf' as cost from runs")
    assert [(row["rounds"], row["cost"]) for row in kept] == [("3", "0.5")] * 2


async def test_an_archived_workspace_takes_no_input(world: World) -> None:
    bench = RunBench(world)
    await world.services.instances.change(world["alice"].principal, bench.lab, status=InstanceStatus.ARCHIVED)
    with pytest.raises(Conflict, match="archived"):
        await bench.ask("too late")


async def test_a_cap_of_nothing_is_a_cap_and_more_rounds_are_more(world: World) -> None:
    bench = RunBench(world)
    configs, alice = AgentConfigs(bench.db), world["alice"].principal
    await configs.put(alice, bench.lab, AgentConfig.model_validate({"maxCostCHF": "0", "maxRounds": 80}))
    accepted = await bench.ask()
    assert await bench.sql("select agent->>'maxRounds' from runs where run_id = $1", accepted.run_id) == "80"
