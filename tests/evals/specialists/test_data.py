"""The scenarios are spread over specialists and languages, and their scripts do only what each agent can and would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from evals.specialists.checks import CallCheck, DocumentCheck, HandOverCheck
from evals.specialists.scenarios import (
    SPECIALISTS,
    DocumentSetUp,
    Endpoint,
    Scenario,
    ScenarioTurn,
    ScriptedCall,
    all_scenarios,
    over_both_endpoints,
    selected,
    slug_of,
)
from pydantic import ValidationError

from workroom.agents.phases import Phase
from workroom.agents.shipped import files
from workroom.companies.document_kinds import KINDS, in_language
from workroom.core.errors import InvalidInput
from workroom.core.languages import LANGUAGES, Language
from workroom.specialists.service import SPECIALISTS as TEAM

SCENARIOS = all_scenarios()
HAND_OFF, CONFIRM, ROADMAP, SUGGEST = "handOff", "skill_confirm", "skill_roadmap", "skill_suggestions"

each = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)


def scripted(scenario: Scenario) -> Iterator[tuple[str, ScriptedCall]]:
    """Every call of the script with the agent that makes it."""
    agent = scenario.slug
    for turn in scenario.turns:
        for call in calls_of(turn):
            yield agent, call
            if call.tool == HAND_OFF:
                agent = call.arguments["agent"]


def calls_of(turn: ScenarioTurn) -> Sequence[ScriptedCall]:
    return [call for reply in turn.script for call in reply.calls]


def roadmap_of(agent: str, language: Language) -> list[str]:
    """Its phases; who writes no document shows the documents."""
    if "document" not in files()[agent]:
        return [in_language(kind.name, language) for kind in KINDS.values()]
    return [Phase.model_validate(phase).names[language] for phase in files()[agent]["phases"]]


def test_every_specialist_has_a_scenario_in_german() -> None:
    assert {slug_of(name) for name in SPECIALISTS} == set(TEAM)
    assert {scenario.specialist for scenario in SCENARIOS if scenario.language == "de"} == set(SPECIALISTS)


def test_every_language_occurs_and_several_specialists_speak_two() -> None:
    assert {scenario.language for scenario in SCENARIOS} == set(LANGUAGES)
    assert len({scenario.specialist for scenario in SCENARIOS if scenario.language != "de"}) >= 3
    assert len({scenario.id for scenario in SCENARIOS}) == len(SCENARIOS)


@pytest.mark.requirement("F8")
@each
def test_skills_are_among_those_the_agent_has(scenario: Scenario) -> None:
    for agent, call in scripted(scenario):
        if call.tool == HAND_OFF:
            assert call.arguments["agent"] in files()[agent]["handsTo"]
        else:
            assert call.tool in files()[agent]["toolNames"], f"{agent} has no {call.tool}"


@each
def test_checks_name_what_is_there(scenario: Scenario) -> None:
    known = {skill for agent, _ in scripted(scenario) for skill in files()[agent]["toolNames"]} | {HAND_OFF}
    every = {skill for name in SPECIALISTS for skill in files()[slug_of(name)]["toolNames"]} | {HAND_OFF}
    for check in (check for turn in scenario.turns for check in (*turn.required, *turn.scripted)):
        match check:
            case CallCheck():
                assert set(check.tools) <= (known if check.called else every)
            case DocumentCheck():
                titles = {in_language(heading.title, scenario.language) for heading in KINDS[check.kind].headings}
                assert {*check.filled, *check.open} <= titles
            case HandOverCheck():
                assert set(check.to) <= set(TEAM)


@each
def test_roadmaps_show_the_phases_of_the_agent(scenario: Scenario) -> None:
    shown = [(agent, call) for agent, call in scripted(scenario) if call.tool == ROADMAP]
    assert shown
    for agent, call in shown:
        assert [phase["name"] for phase in call.arguments["phases"]] == roadmap_of(agent, scenario.language)


@each
def test_buttons_that_are_pressed_are_shown_before(scenario: Scenario) -> None:
    for before, turn in zip([None, *scenario.turns], scenario.turns, strict=False):
        if turn.presses is None:
            continue
        assert before is not None
        *_, last = calls_of(before)
        if turn.answers_confirmation:
            assert last.tool == CONFIRM
        else:
            offered = [call.arguments["suggestions"] for call in calls_of(before) if call.tool == SUGGEST]
            assert turn.writes in offered[-1]


@each
def test_something_is_required_of_every_model(scenario: Scenario) -> None:
    assert any(turn.required for turn in scenario.turns)
    assert scenario.model_calls >= sum(len(turn.script) for turn in scenario.turns)


@each
def test_german_is_spelt_as_in_switzerland(scenario: Scenario) -> None:
    texts = [scenario.model_dump_json(), *(document.content for document in scenario.documents)]
    assert scenario.language != "de" or "ß" not in "".join(texts)


def test_a_run_goes_through_agentic_chat_whatever_is_chosen() -> None:
    for chosen in (SCENARIOS, selected(SCENARIOS, ["swot"]), selected(SCENARIOS, ["briefing"])):
        led = over_both_endpoints(chosen)
        assert [scenario.id for scenario in led] == [scenario.id for scenario in chosen]
        assert any(scenario.endpoint is Endpoint.AGENTIC_CHAT for scenario in led)
    assert over_both_endpoints(SCENARIOS) == SCENARIOS


def test_scenarios_are_selected_by_specialist_language_and_id() -> None:
    assert [scenario.id for scenario in selected(SCENARIOS, ["briefing", "de"])] == ["briefing-de-1", "briefing-de-2"]
    assert [scenario.id for scenario in selected(SCENARIOS, ["goals-zh-1"])] == ["goals-zh-1"]
    with pytest.raises(InvalidInput, match="no scenario for klingon"):
        selected(SCENARIOS, ["klingon"])


@pytest.mark.parametrize("wrong", [{"kind": "swot"}, {"kind": "swot", "text": "x", "file": "y.md"}])
def test_a_document_has_a_text_or_a_file(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="text or file"):
        DocumentSetUp.model_validate(wrong)
