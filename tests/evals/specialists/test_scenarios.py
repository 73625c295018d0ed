"""Every scenario on the real application, with a model that gives the replies of its script."""

from __future__ import annotations

import re
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from evals.specialists.protocol import protocol
from evals.specialists.runner import ScenarioRunner
from evals.specialists.scenarios import Scenario, ScenarioTurn, all_scenarios, selected
from evals.specialists.script import forced_requests, replies

from tests.conftest import PORT
from tests.evals.specialists.scenario_server import MODEL, ScenarioServer, scenario_server
from tests.world import make_world
from workroom.api import run_waiting
from workroom.bootstrap.server import open_services
from workroom.core.pauses import Chosen
from workroom.db.testing import TestPostgres
from workroom.models.testing import Nothing
from workroom.settings import Settings

SECONDS = 60
HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "test-specialists.md"


def documented() -> Scenario:
    """The example of the documentation."""
    [written] = re.findall(r"```toml\n(.*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)
    return Scenario.model_validate({"specialist": "swot", **tomllib.loads(written)["scenario"][0]})


@pytest.fixture(scope="module")
async def server(postgres: TestPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ScenarioServer]:
    address = await postgres.fresh()
    settings = Settings(
        data=tmp_path_factory.mktemp("scenarios"),
        login="password",
        port=PORT,
        private_addresses=True,
        embedding="static",
    )
    async with open_services(settings, address, PORT) as services:
        world = await make_world(services)
        async with scenario_server(world, address.application) as started:
            yield started
    await postgres.drop(address)


@pytest.mark.requirement("F8", "A9", "B7")
@pytest.mark.parametrize("scenario", [*all_scenarios(), documented()], ids=lambda scenario: scenario.id)
async def test_a_scenario_leaves_behind_what_it_must(server: ScenarioServer, scenario: Scenario) -> None:
    server.provider.requests.clear()
    server.provider.script = list(replies(scenario))
    outcome = await ScenarioRunner(server.client, MODEL, SECONDS, scripted=True).run(scenario)
    assert outcome.success, protocol(outcome, MODEL)
    assert server.provider.script == [], "each reply of the script was asked for"
    requests = server.provider.requests
    assert len(requests) == len(replies(scenario)) == outcome.figures.model_calls
    forced = [place for place, request in enumerate(requests) if request.body.get("tool_choice") == "required"]
    assert forced == forced_requests(scenario)
    presses = [played.evidence.pressed for played in outcome.turns if played.turn.presses]
    assert all(presses), "each button was there"


def named(scenario_id: str) -> Scenario:
    return selected(all_scenarios(), [scenario_id])[0]


async def test_a_confirmation_that_no_turn_presses_is_answered_with_yes(server: ScenarioServer) -> None:
    box = {"tool": "skill_confirm", "arguments": {"text": "Stimmt es?"}}
    turn = ScenarioTurn.model_validate({"writes": "Frag mich.", "script": [{"calls": [box]}, {"text": "Danke."}]})
    scenario = named("goals-zh-1").model_copy(update={"turns": [turn]})
    server.provider.script = list(replies(scenario))
    [played] = (await ScenarioRunner(server.client, MODEL, SECONDS).run(scenario)).turns
    assert [pause.answer for pause in played.evidence.answered] == [Chosen(choice_id="yes")]
    assert [widget.payload["text"] for widget in played.evidence.confirmations] == ["Stimmt es?"]
    assert (played.evidence.turn.answer, played.problems) == ("Danke.", ())


async def test_an_answer_that_takes_longer_than_a_request_is_followed(
    server: ScenarioServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_waiting, "PATIENCE", 0.0)
    scenario = named("goals-de-1")
    server.provider.script = list(replies(scenario))
    outcome = await ScenarioRunner(server.client, MODEL, SECONDS, scripted=True).run(scenario)
    assert outcome.success, protocol(outcome, MODEL)


async def test_a_model_that_hangs_ends_the_scenario_and_not_the_evaluation(server: ScenarioServer) -> None:
    scenario = named("swot-pt-1")
    server.provider.script = [Nothing()]
    outcome = await ScenarioRunner(server.client, MODEL, 1).run(scenario)
    assert outcome.problems == ("not done after 1 s",)
    assert not outcome.unanswered
    assert "**Not reached:** 2 more turns." in protocol(outcome, MODEL)
