"""Quick replies: what the user may want to answer, sent by a click."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
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
    offered = list(dict.fromkeys(" ".join(one.split()) for one in suggestions if one.strip()))
    return Suggestions(suggestions=offered).shown("The user sees these replies. Now ask your question in words.")
