"""The agents that are shipped: one file of JSON each in `builtin/`, with texts in five languages. Their ids are made of their
slugs and never change; conversations name them. What the agents of a team have in common stands in `teams/`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, cast
from uuid import UUID, uuid5

from workroom.agents.glyphs import clean_glyph
from workroom.agents.phases import PhasedAgent, TeamTexts, composed
from workroom.agents.types import AgentDefinition
from workroom.core.languages import DEFAULT_LANGUAGE, LANGUAGES
from workroom.identity.sharing import Visibility

COMPOSED = frozenset({"names", "descriptions", "handsTo", "phases", "document"})  # what a definition is made from
PHASED = frozenset({"instructions", "phases", "toolNames", "handsTo", "document"})

NAMESPACE = UUID("6f1d3b52-0c58-5a43-9a5e-2f6f2d1c7a10")


def shipped_id(slug: str) -> UUID:
    return uuid5(NAMESPACE, slug)


ASSISTANT_ID = shipped_id("assistant")  # whom everybody begins with, if the workspace says nothing else

NAVIGATOR_ID = shipped_id("navigator")  # whom software asks that talks about the map


def shipped(language: str = DEFAULT_LANGUAGE) -> Mapping[UUID, AgentDefinition]:
    """By id, the assistant first; names, their first letters and descriptions in that language."""
    return _shipped(language if language in LANGUAGES else DEFAULT_LANGUAGE)


def names_of(agent_id: UUID) -> tuple[str, ...]:
    """What a shipped agent is called, in every language; nothing for others."""
    return tuple(
        name for slug, written in files().items() if shipped_id(slug) == agent_id for name in written["names"].values()
    )


@cache
def _shipped(language: str) -> Mapping[UUID, AgentDefinition]:
    made = [definition(read, language) for read in files().values()]
    return {agent.id: agent for agent in sorted(made, key=lambda agent: (agent.id != ASSISTANT_ID, agent.slug))}


@cache
def files() -> Mapping[str, Mapping[str, Any]]:
    """By slug, as they are written."""
    folder = resources.files(__package__) / "builtin"
    found = [file for file in folder.iterdir() if file.name.endswith(".json")]
    return {file.name[:-5]: {"slug": file.name[:-5], **json.loads(file.read_text("utf-8"))} for file in found}


@cache
def team_texts(team: str) -> TeamTexts:
    file = resources.files(__package__) / "teams" / f"{team}.json"
    return TeamTexts.model_validate_json(file.read_text("utf-8"))


def definition(written: Mapping[str, Any], language: str) -> AgentDefinition:
    told = {key: value for key, value in written.items() if key not in COMPOSED}
    return AgentDefinition.model_validate(
        {
            **told,
            "instructions": _instructions(written),
            "id": shipped_id(written["slug"]),
            "name": written["names"][language],
            "glyph": clean_glyph(written.get("glyph", ""), written["names"][language]),
            "description": written["descriptions"][language],
            "handsTo": [shipped_id(slug) for slug in written.get("handsTo", ())],
            "version": written.get("version", 1),
            "builtin": True,
            "visibility": Visibility.ALL,
        }
    )


def _instructions(written: Mapping[str, Any]) -> Mapping[str, str]:
    """As they are written; those of a team that works in phases are composed with them."""
    if "phases" not in written:
        return cast(Mapping[str, str], written["instructions"])
    team = written["team"]
    agent = PhasedAgent.model_validate({key: value for key, value in written.items() if key in PHASED})
    return {language: composed(agent, team_texts(team), language) for language in LANGUAGES}
