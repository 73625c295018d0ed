"""Quick replies: what the user may want to answer, sent by a click. Never a command or a skill: what a user types is carried
out unasked, and a model may have been misled by what it read."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.paths import DECEPTIVE
from workroom.core.results import ToolResult
from workroom.core.widgets import Widget

MOST_SUGGESTIONS = 6
Suggestion = Annotated[str, Field(min_length=1, max_length=200)]


class Suggestions(Widget):
    suggestions: list[str]


@tool("skill_suggestions", effect="read", sets={"skills"})
async def skill_suggestions(
    ctx: ToolContext, suggestions: Annotated[list[Suggestion], Field(min_length=1, max_length=MOST_SUGGESTIONS)]
) -> ToolResult:
    """Offer short replies under your answer, in the user's words; the user sends one by a click, or writes something else."""
    offered = [text for text in dict.fromkeys(map(_words, suggestions)) if text and not text.startswith("/")]
    if not offered:
        raise InvalidInput("Suggest replies in words: a command is not sent by a click.", field="suggestions")
    return Suggestions(suggestions=offered).shown("The user sees these replies. Now ask your question in words.")


def _words(text: str) -> str:
    """On one line, without characters that hide what would be sent."""
    return " ".join("".join(char for char in text if char not in DECEPTIVE).split())
