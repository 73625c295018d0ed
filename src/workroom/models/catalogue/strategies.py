"""How a model is best told that it is somebody else from now on: data, one file of JSON per provider, beside the prices and
with the same ids. `disagreements` proves that; it is asked by tests, at load and by the page about models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from workroom.models.catalogue.entries import entries


class StrategyType(StrEnum):
    GPT_ADVANCED = "gpt-advanced"
    GPT_STANDARD = "gpt-standard"
    GPT_LITE = "gpt-lite"
    REASONING = "reasoning-model"
    GOOGLE_ADVANCED = "google-advanced"
    GOOGLE_STANDARD = "google-standard"
    GOOGLE_LITE = "google-lite"
    GOOGLE_LEGACY = "google-legacy"
    CLAUDE_ADVANCED = "claude-advanced"
    CLAUDE_STANDARD = "claude-standard"


class Template(StrEnum):
    """The form in which it is told."""

    HIERARCHICAL = "hierarchical"
    SIMPLE = "simple"
    MINIMAL = "minimal"
    REASONING = "reasoning-focused"
    DIRECT_COMMAND = "direct-command"
    DIRECT_SIMPLE = "direct-simple"
    XML_TAGS = "xml-tags"


class Handling(StrEnum):
    """What is told besides."""

    PRIORITIES = "priority-system"
    ROLE_OVERRIDE = "role-override"
    IDENTITY_OVERRIDE = "identity-override"
    ROLE_ASSIGNMENT = "role-assignment"
    STEP_BY_STEP = "step-by-step"
    EFFICIENT = "efficient-processing"
    LEGACY = "legacy-compatibility"
    GENTLE = "gentle-reset"


class Degree(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True)
class Strategy:
    """`memory`: how much of what was said before the switch the new agent sees."""

    type: StrategyType
    template: Template
    assertiveness: Degree
    memory: Degree
    handling: frozenset[Handling]


# For models nobody has described: an endpoint may serve anything, and this is what does the least harm.
UNKNOWN = Strategy(
    StrategyType.GPT_STANDARD, Template.SIMPLE, Degree.MEDIUM, Degree.MEDIUM, frozenset({Handling.ROLE_OVERRIDE})
)


def strategy(provider: str, model: str) -> Strategy:
    return strategies().get(provider, {}).get(model, UNKNOWN)


@cache
def strategies() -> Mapping[str, Mapping[str, Strategy]]:
    folder = resources.files(__package__) / "strategies"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {file.name[:-5]: read(file.read_text("utf-8")) for file in files}


def read(text: str) -> Mapping[str, Strategy]:
    """ValueError when it says something that is not known, or says it twice."""
    found: dict[str, Strategy] = {}
    for stored in json.loads(text)["strategies"]:
        if stored["modelId"] in found:
            raise ValueError(f"{stored['modelId']} is there twice")
        found[stored["modelId"]] = _strategy(stored["strategy"])
    return found


def disagreements() -> list[str]:
    """Ids that only one of the two files of a provider has."""
    return compared({p: [e.id for e in all_of] for p, all_of in entries().items()}, strategies())


def compared(priced: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for provider in sorted({*priced, *told}):
        prices, ways = set(priced.get(provider, ())), set(told.get(provider, ()))
        found += [f"{provider}/{model} has a price and no strategy" for model in sorted(prices - ways)]
        found += [f"{provider}/{model} has a strategy and no price" for model in sorted(ways - prices)]
    return found


def _strategy(stored: Mapping[str, Any]) -> Strategy:
    return Strategy(
        StrategyType(stored["type"]),
        Template(stored["agentSwitchTemplate"]),
        Degree(stored["assertiveness"]),
        Degree(stored["contextualMemory"]),
        frozenset(Handling(name) for name in stored["specialHandling"]),
    )
