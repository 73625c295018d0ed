"""What is wrong with the texts of a tool is said, for our contract test and for plugins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from workroom.agent.tool import ConfirmPrompt, Tool, ToolContext, tool
from workroom.agent.tool_text_checks import text_problems
from workroom.core.tool_texts import ToolTexts


async def _confirm(ctx: ToolContext, sides: int) -> ConfirmPrompt:
    return ConfirmPrompt(f"Roll a die with {sides} sides?", str(sides))


@tool("rollDice", effect="read", confirm=_confirm)
async def roll_dice(ctx: ToolContext, sides: int) -> int:
    """Roll one die."""
    return sides


def described(**languages: Mapping[str, Any]) -> Tool:
    return replace(roll_dice, texts={language: ToolTexts(**texts) for language, texts in languages.items()})


def test_texts_that_fit_have_no_problems() -> None:
    full = {"label": "rolls", "confirmation": "Roll {name}?", "activity": "Roll {sides}", "phrases": ("roll",)}
    assert text_problems(described(en=full, de=full), ["en", "de"]) == []
    assert text_problems(described(en={"label": "rolls"}), ["en"]) == []
    assert text_problems(roll_dice, []) == []


@pytest.mark.parametrize(
    ("languages", "problem"),
    [
        ({}, "no texts in en"),
        ({"en": {"label": "x"}, "xx": {"label": "x"}}, "unknown language: xx"),
        ({"en": {"label": "x", "activity": "a"}, "de": {"label": "x"}}, "activity in de"),
        ({"en": {"label": "x", "phrases": ("a",)}, "de": {"label": "x"}}, "phrases in de"),
        ({"en": {"label": "x", "activity": "{sides}"}, "de": {"label": "x", "activity": "{file}"}}, "activity in de"),
        ({"en": {"label": "x", "activities": {"a": "b"}}, "de": {"label": "x"}}, "activities.a in de"),
        ({"en": {"label": "x", "confirmations": {"a": "{name}"}}, "de": {"label": "x"}}, "confirmations.a in de"),
        ({"en": {"label": "x", "confirmations": {"a": "Roll?"}}}, "has to say {name}"),
        ({"en": {"label": " "}, "de": {"label": "x"}}, "label in de"),
        ({"en": {"label": "x", "activity": "{colour}"}}, "no parameter: colour"),
        ({"en": {"label": "x", "confirmation": "Roll {sides}?"}}, "has to say {name}"),
    ],
)
def test_a_problem_is_named(languages: Mapping[str, Mapping[str, Any]], problem: str) -> None:
    problems = text_problems(described(**languages), ["en"])
    assert any(problem in found for found in problems), problems


def test_a_question_of_a_tool_that_never_asks_is_a_problem() -> None:
    never = replace(described(en={"label": "x", "confirmation": "Roll {name}?"}), confirm=None)
    assert any("never asked" in found for found in text_problems(never, ["en"]))
