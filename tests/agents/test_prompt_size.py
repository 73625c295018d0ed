"""What a question costs before a word is answered: counted by section, for every agent that is shipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.agent.offers import EVERYTHING, HELLO
from workroom.agent.context import compose
from workroom.agent.ports import Colleague, Progress, Strategy, WorkspaceState
from workroom.agent.registry import discover
from workroom.agent.tool import WorkspaceContent
from workroom.agent.tool_sets import TOOL_SETS
from workroom.agents.shipped import files, shipped, shipped_id
from workroom.agents.types import spec
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.languages import LANGUAGES
from workroom.core.money import FREE
from workroom.knowledge.workspace_overviews import TOKENS as OVERVIEW_TOKENS
from workroom.models.ports import Forcing, ModelInfo, ModelRequest

MODEL = ModelInfo("p", "m", FREE)
REGISTRY = discover(*TOOL_PACKAGES)


def asked(language: str, workspace: WorkspaceState, tool_set: str = "core") -> list[ModelRequest]:
    """Every agent that is of no team, with all others such to hand over to; teams are measured in test_specialists."""
    ordinary = [agent for agent in shipped(language).values() if agent.team is None]
    agents = [agent for agent in ordinary if agent.strategy is not Strategy.PLAN]
    assert agents
    everybody = tuple(Colleague(one.id, one.slug, one.name, one.description) for one in ordinary)
    return [
        compose(Progress([HELLO]), whole, REGISTRY.of(whole), MODEL, forcing=Forcing.AUTO, workspace=workspace)
        for agent in agents
        for others in [tuple(one for one in everybody if one.id != agent.id)]
        for whole in [replace(spec(agent, language), tool_sets=frozenset({tool_set}), colleagues=others)]
    ]


@pytest.mark.requirement("D1")
@pytest.mark.requirement("B1")
@pytest.mark.parametrize("tool_set", TOOL_SETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_greeting_takes_less_than_two_thousand_tokens(language: str, tool_set: str) -> None:
    for request in asked(language, WorkspaceState("", frozenset()), tool_set):
        assert sum(request.sections.values()) <= 2_000, request.sections
        assert set(request.sections) == {"instructions", "tools", "conversation"}


@pytest.mark.requirement("D1")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_about_a_file_takes_less_than_three_thousand_tokens_and_its_material(language: str) -> None:
    """With as many names of files as are ever told, and notes and todos beside them."""
    overview = WorkspaceState("x" * 4 * OVERVIEW_TOKENS, EVERYTHING)
    for request in asked(language, overview):
        assert request.sections["workspace"] == OVERVIEW_TOKENS
        assert sum(request.sections.values()) <= 3_000, request.sections


def greeted(slug: str, language: str, contents: Iterable[WorkspaceContent]) -> ModelRequest:
    """As a run asks: with its own tools, or else those of the workspace, and those it may hand over to."""
    agents = shipped(language)
    agent = agents[shipped_id(slug)]
    colleagues = tuple(Colleague(one.id, one.slug, one.name, one.description) for one in agents.values())
    whole = replace(
        spec(agent, language),
        tool_sets=frozenset() if agent.tool_names else frozenset({"core"}),
        within=frozenset({"core"}) if agent.tool_names else frozenset(),
        colleagues=tuple(one for one in colleagues if one.id in agent.hands_to),
    )
    workspace = WorkspaceState("", frozenset(contents))
    return compose(Progress([HELLO]), whole, REGISTRY.of(whole), MODEL, forcing=Forcing.AUTO, workspace=workspace)


@pytest.mark.requirement("D1")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_assistant_for_small_models_sends_eight_tools_and_costs_less(language: str) -> None:
    """The same eight in every workspace, so that a local server knows the beginning of its prompts."""
    small = greeted("small-assistant", language, ())
    assert len(small.tools) == 8
    for contents in [*(frozenset({one}) for one in EVERYTHING), EVERYTHING]:
        there = greeted("small-assistant", language, contents)
        assert (there.system, there.tools) == (small.system, small.tools)
        assert sum(there.sections.values()) < sum(greeted("assistant", language, contents).sections.values())
    whole = sum(greeted("assistant", language, EVERYTHING).sections.values())
    assert sum(small.sections.values()) * 2 < whole


@pytest.mark.parametrize("slug", sorted(slug for slug, written in files().items() if not written.get("team")))
def test_an_agent_of_no_team_is_told_of_no_specialist(slug: str) -> None:
    team = [agent.slug for agent in shipped().values() if agent.team]
    assert team
    assert not [other for other in team if other in greeted(slug, "en", ()).system]


def test_every_tool_is_described_once() -> None:
    for request in asked("en", WorkspaceState("", EVERYTHING)):
        whole = "\n".join([request.system, *(f"{tool.name}: {tool.description}" for tool in request.tools)])
        for tool in request.tools:
            assert whole.count(tool.description.split(". ")[0]) == 1, tool.name
