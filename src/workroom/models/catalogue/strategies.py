"""How a model is best told that it is another agent from now on: data, one file of JSON per provider, beside the prices and
with the same ids. `Catalogue.disagreements` proves that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
class SwitchStrategy:
    """`memory`: how much of what was said before the switch the new agent sees."""

    type: StrategyType
    template: Template
    assertiveness: Degree
    memory: Degree
    handling: frozenset[Handling]

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> SwitchStrategy:
        """ValueError when it says something that is not known."""
        return cls(
            StrategyType(stored["type"]),
            Template(stored["agentSwitchTemplate"]),
            Degree(stored["assertiveness"]),
            Degree(stored["contextualMemory"]),
            frozenset(Handling(name) for name in stored["specialHandling"]),
        )

    def stored(self) -> dict[str, Any]:
        return {
            "type": self.type.value,
            "agentSwitchTemplate": self.template.value,
            "assertiveness": self.assertiveness.value,
            "contextualMemory": self.memory.value,
            "specialHandling": [name.value for name in Handling if name in self.handling],
        }


# For models without a description: an endpoint may serve anything, and this is what does the least harm.
UNKNOWN = SwitchStrategy(
    StrategyType.GPT_STANDARD, Template.SIMPLE, Degree.MEDIUM, Degree.MEDIUM, frozenset({Handling.ROLE_OVERRIDE})
)


def read_strategies(text: str) -> Mapping[str, SwitchStrategy]:
    """A provider's file, by model. ValueError when it says something that is not known, or says it twice."""
    found: dict[str, SwitchStrategy] = {}
    for stored in json.loads(text)["strategies"]:
        if stored["modelId"] in found:
            raise ValueError(f"{stored['modelId']} is there twice")
        found[stored["modelId"]] = SwitchStrategy.read(stored["strategy"])
    return found
