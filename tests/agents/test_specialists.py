"""What holds for every agent of the team of specialists: whole in five languages, led by phases, with the skills it may use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from typing import Any

import pytest

import workroom.agents
import workroom.skills
from tests.agent.offers import HELLO
from workroom.agent.context import compose
from workroom.agent.ports import Colleague, Progress, WorkspaceState
from workroom.agent.registry import discover
from workroom.agents.phases import Phase, PhasedAgent, TeamTexts, Titles, composed
from workroom.agents.shipped import files, shipped, shipped_id, team_texts
from workroom.agents.types import AgentDefinition, spec
from workroom.companies.document_kinds import KINDS
from workroom.core.languages import LANGUAGES, Language
from workroom.core.money import FREE
from workroom.models.ports import Forcing, ModelInfo

SKILLS = {tool.name for tool in discover(workroom.skills) if "skills" in tool.sets}
DOCUMENTS = {
    "briefing_specialist": "briefing",
    "swot_specialist": "swot",
    "audience_specialist": "audience",
    "positioning_specialist": "positioning",
    "goals_specialist": "goals",
    "messages_specialist": "messages",
    "project_wizard": "project",
}
"""In the order in which they build on each other."""

TEAM = {slug: written for slug, written in files().items() if written.get("team") == "specialists"}
WITH_DOCUMENT = {"skill_roadmap", "skill_todos", "skill_confirm", "skill_sidebar", "skill_suggestions"}
ALL = [(slug, language) for slug in sorted(TEAM) for language in LANGUAGES]


def agent_in(slug: str, language: str) -> AgentDefinition:
    return shipped(language)[shipped_id(slug)]


def phases_of(slug: str) -> list[Phase]:
    return [Phase.model_validate(phase) for phase in TEAM[slug]["phases"]]


def test_there_are_the_eight() -> None:
    assert list(DOCUMENTS.values()) == list(KINDS)
    assert set(TEAM) == {"orchestrator", *DOCUMENTS}
    assert {slug: written["document"] for slug, written in TEAM.items() if "document" in written} == DOCUMENTS
    for slug in files():
        assert (agent_in(slug, "en").team == "specialists") == (slug in TEAM)


@pytest.mark.parametrize("slug", sorted(TEAM))
def test_each_has_the_skills_of_its_work(slug: str) -> None:
    names = set(agent_in(slug, "en").tool_names)
    if slug == "orchestrator":
        assert names == {"skill_dna_lookup", "skill_roadmap", "skill_suggestions"}
    else:
        reads = "skill_url_crawler" if slug == "briefing_specialist" else "skill_dna_lookup"
        assert names == WITH_DOCUMENT | {reads}
    assert names <= SKILLS


@pytest.mark.requirement("A9")
@pytest.mark.parametrize("slug", sorted(TEAM))
def test_each_must_use_its_skills_and_says_which_model_it_prefers(slug: str) -> None:
    own = spec(agent_in(slug, "de"), "de")
    assert own.forcing is Forcing.ANY
    assert own.temperature == 0.7
    assert own.prefers == "google/gemini-2.5-flash"
    assert agent_in(slug, "de").language is None, "the conversation's"


def test_each_hands_over_to_the_next_and_to_who_leads() -> None:
    assert TEAM["orchestrator"]["handsTo"] == list(DOCUMENTS)
    order = [*DOCUMENTS, "orchestrator"]
    for slug, following in pairwise(order):
        assert TEAM[slug]["handsTo"] == list(dict.fromkeys([following, "orchestrator"]))
        assert f"`{following}`" in agent_in(slug, "en").instructions.in_language("en")


@pytest.mark.parametrize(("slug", "language"), ALL)
def test_every_phase_asks_and_has_an_end(slug: str, language: Language) -> None:
    phases = phases_of(slug)
    assert 3 <= len(phases) <= 6
    text = agent_in(slug, language).instructions.in_language(language)
    for phase in phases:
        assert set(phase.names) == set(phase.questions) == set(phase.exit) == set(LANGUAGES)
        assert all(question.rstrip().endswith(("?", "？")) for question in phase.questions[language])
        assert phase.questions[language]
        for told in (phase.names[language], *phase.questions[language], phase.exit[language]):
            assert told in text
    assert len({phase.names[language] for phase in phases}) == len(phases)


@pytest.mark.requirement("D6")
@pytest.mark.parametrize("slug", sorted(TEAM))
def test_an_agent_is_told_what_to_do_in_the_language_of_the_conversation(slug: str) -> None:
    for phase in phases_of(slug):
        assert len({phase.exit[language] for language in LANGUAGES}) == len(LANGUAGES)
    for language in LANGUAGES:
        texts, instructions = team_texts("specialists"), spec(agent_in(slug, language), language).instructions
        assert texts.method[language] in instructions
        assert texts.titles.phases[language] in instructions


@pytest.mark.parametrize(("slug", "language"), ALL)
def test_each_skill_is_told_once_with_when_to_use_it(slug: str, language: Language) -> None:
    text = agent_in(slug, language).instructions.in_language(language)
    for name in agent_in(slug, language).tool_names:
        assert text.count(f"- `{name}`: ") == 1
    assert "{" not in text, "every place is filled in"
    assert "skill_" not in "".join(TEAM[slug]["instructions"].values()), "said once, for the team"


@pytest.mark.requirement("D1")
@pytest.mark.parametrize(("slug", "language"), ALL)
def test_a_prompt_takes_less_than_fifteen_hundred_tokens(slug: str, language: str) -> None:
    """Of a specialist as a run asks it, with those it hands over to; the schemas of skills come beside it."""
    agents = shipped(language)
    agent = agent_in(slug, language)
    colleagues = (agents[other] for other in agent.hands_to)
    whole = replace(
        spec(agent, language),
        colleagues=tuple(Colleague(one.id, one.slug, one.name, one.description) for one in colleagues),
    )
    tools = discover(workroom.tools).of(whole)
    model = ModelInfo("p", "m", FREE)
    request = compose(
        Progress([HELLO]), whole, tools, model, forcing=Forcing.ANY, workspace=WorkspaceState("", frozenset())
    )
    assert request.sections["instructions"] <= 1_500
    assert "handOff" in {tool.name for tool in request.tools}


def test_the_texts_of_a_team_are_whole_in_every_language() -> None:
    file = resources.files(workroom.agents) / "teams" / "specialists.json"
    languages = [set(texts) for texts in _texts(json.loads(file.read_text("utf-8")))]
    assert languages
    assert all(each == set(LANGUAGES) for each in languages)
    assert set(team_texts("specialists").skills) == SKILLS


def _texts(value: Mapping[str, Any]) -> list[Mapping[str, str]]:
    if "de" in value:
        return [value]
    return [texts for inner in value.values() for texts in _texts(inner)]


def test_role_method_and_phases_are_one_text() -> None:
    phase = Phase(names={"en": "Why"}, questions={"en": ["Why now?", "What for?"]}, exit={"en": "The reason is known."})
    team = TeamTexts(
        method={"en": "- You lead."},
        skills={"write": {"en": "writes `{document}`."}},
        handover={"en": "Then `{next}`."},
        titles=Titles(method={"en": "Method"}, phases={"en": "Phases"}, exit={"en": "Done"}),
    )
    agent = PhasedAgent(
        instructions={"en": "You are Ada."},
        phases=[phase] * 3,
        tool_names=["write"],
        hands_to=["bea", "cem"],
        document="plan",
    )
    said = composed(agent, team, "en")
    assert said.startswith(
        "You are Ada.\n\n## Method\n- You lead.\n- `write`: writes `plan`.\n- Then `bea`.\n\n## Phases\n"
        "1. **Why** Why now? What for?\n   Done: The reason is known.\n2. **Why**"
    )
    assert "Then" not in composed(agent.model_copy(update={"document": None}), team, "en"), "it goes on and on"
