"""Whether a request that was made to another agent is meant for one that plans. Its own rules decide; since they are written for
people who talk to that agent, and read `show my notes` as a place, something else has to speak for it, too."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.agent.planning.intents import QUESTION, Intent
from workroom.agent.planning.ports import KnownNames
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.core.plans import PlannedStep

_SPACED = re.compile(
    r"[^\W\d_]", re.ASCII
)  # a name in letters of ours stands alone; signs of Chinese are written together


def is_meant_for(
    text: str,
    agent_names: Sequence[str],
    intents: Sequence[Intent],
    language: str,
    names: KnownNames,
    *,
    answered_otherwise: bool,
) -> bool:
    """Whether all of it is understood, and it says the agent's name (`on the map`), or names nothing but known places and themes
    while there is no other answer to it."""
    steps = plan_by_rules(text, intents, "", language, names=names).steps
    if not steps or any(step.intent == QUESTION.name for step in steps):
        return False
    if any(_says(text.casefold(), name.casefold()) for name in agent_names):
        return True
    return not answered_otherwise and all(_is_known(step, names) for step in steps)


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None if _SPACED.search(name) else name in text


def _is_known(step: PlannedStep, names: KnownNames) -> bool:
    queries = [call.arguments.get("query", "") for call in step.tool_calls]
    return all(_is_name(query, names) for query in queries if isinstance(query, str) and query)


def _is_name(query: str, names: KnownNames) -> bool:
    if names.places.has(query) or names.themes.has(query):
        return True
    words = query.split()
    is_address = any(char.isdigit() for char in query)
    return is_address and any(names.places.has(" ".join(words[first:])) for first in range(1, len(words)))
