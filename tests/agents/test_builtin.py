"""What holds for every agent that is shipped, also for those nobody has written yet."""

from __future__ import annotations

import pytest

from workroom.agent.tool_sets import TOOL_SETS
from workroom.agents import shipped
from workroom.agents.shipped import ASSISTANT_ID, files
from workroom.agents.types import AgentDefinition, AgentFile, spec
from workroom.agents.validation import cleaned
from workroom.core.languages import LANGUAGES

ALL = [(slug, language) for slug in sorted(files()) for language in LANGUAGES]


def one(slug: str, language: str) -> AgentDefinition:
    return shipped.shipped(language)[shipped.shipped_id(slug)]


def test_ids_never_change_because_conversations_name_them() -> None:
    assert {slug: str(shipped.shipped_id(slug)) for slug in sorted(files())} == {
        "analyst": "d9bdb585-a218-51a2-8f7c-4b14db30d399",
        "assistant": "42ed167c-9ccb-5b62-8c3f-2813961159f3",
        "audience_specialist": "b3a298d9-3622-5452-a0ac-2a8252c3dda8",
        "briefing_specialist": "9b7983aa-9a44-55bd-a457-4a5fd030c316",
        "editor": "9d5d937d-18e6-5646-9b31-967902b4ed5e",
        "goals_specialist": "0b282d03-26f9-52a0-96c1-de4884dc7e1a",
        "messages_specialist": "7bca60d6-b009-55f2-ad63-5dfced8eb46a",
        "navigator": "d7bddaf4-3dc8-5fac-9954-b72563d241aa",
        "orchestrator": "4ad92a0a-e20e-562c-b911-a7db832e41dc",
        "positioning_specialist": "ad0412cc-9207-54c4-b43c-9a07cec60b53",
        "project_wizard": "82439ad4-a451-5ceb-a163-223af3167d28",
        "researcher": "5985068e-949f-58a3-9422-87b8cf04f933",
        "small-assistant": "e1543659-6412-5581-94bd-8bf0f4a611df",
        "studio": "7f9b3f8c-e8b4-5620-800f-a0796b7988cd",
        "swot_specialist": "61111a8c-b3d0-5c68-a4c3-faadd580c1fa",
        "translator": "efcf4127-0b7f-5466-9341-9804bf54d1f7",
    }
    assert next(iter(shipped.shipped())) == ASSISTANT_ID, "whom everybody begins with comes first"


@pytest.mark.parametrize(("slug", "language"), ALL)
def test_its_letter_is_that_of_its_name(slug: str, language: str) -> None:
    agent = one(slug, language)
    assert not agent.glyph.isalpha() or agent.glyph in ("Σ", agent.name[0].upper())


@pytest.mark.parametrize(("slug", "language"), ALL)
def test_a_shipped_agent_is_whole_in_every_language(slug: str, language: str) -> None:
    agent = one(slug, language)
    assert cleaned(agent.content) == agent.content, "as if somebody had entered it"
    assert agent.builtin
    assert agent.slug == slug
    assert agent.description
    assert set(agent.tool_sets) <= TOOL_SETS.keys()
    assert agent.id not in agent.hands_to
    assert all(other in shipped.shipped() for other in agent.hands_to)
    assert not agent.trusted_tools, "trust is given in a workspace"
    text = agent.instructions.in_language(language)
    assert len(text) >= 20
    assert agent.team or len(text) <= 2_000, "those of a team are measured in test_specialists"
    assert spec(agent, language).instructions == text
    assert spec(agent, language).name == agent.name


@pytest.mark.parametrize("slug", sorted(files()))
def test_its_texts_are_different_in_every_language(slug: str) -> None:
    assert len({one(slug, language).instructions.in_language(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert len({one(slug, language).description for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("slug", sorted(files()))
def test_german_examples_say_ebene(slug: str) -> None:
    """As the glossary does; people may say `Layer`, so phrases know it."""
    told = [intent.examples.get("de", "") for intent in one(slug, "de").intents]
    assert not [text for text in told if "layer" in text.lower()]


def test_an_agent_speaks_its_own_language_if_it_has_one_else_the_users_else_what_there_is() -> None:
    assistant = one("assistant", "en")
    german = assistant.instructions.in_language("de")
    assert spec(assistant.model_copy(update={"language": "de"}), "fr").instructions == german
    assert spec(assistant, "xx").instructions == assistant.instructions.en
    only = assistant.model_copy(
        update={"instructions": assistant.instructions.model_copy(update={"en": None, "pt": None})}
    )
    assert spec(only, "pt").instructions == german


def test_an_exported_agent_says_what_it_is() -> None:
    schema = AgentFile.model_json_schema()
    assert schema["properties"]["format"]["const"] == "workroom-agent"
