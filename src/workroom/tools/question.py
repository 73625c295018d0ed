"""A question to the user: the run waits for the answer, for days if need be."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.pauses import Choice, Option, Question

MOST_OPTIONS = 10
Label = Annotated[str, Field(min_length=1, max_length=500)]


@tool("askUser", effect="read", sets={"core"}, pauses=True)
async def ask_user(
    ctx: ToolContext,
    question: Annotated[str, Field(min_length=1, max_length=2_000)],
    options: Annotated[list[Label], Field(max_length=MOST_OPTIONS)] | None = None,
) -> Question | Choice:
    """Ask the user something you cannot find out yourself, in their own words or among 2 to 10 `options`."""
    if not options:
        return Question(text=question)
    labels = [" ".join(label.split()) for label in options]
    if len(labels) < 2 or "" in labels or len(set(labels)) < len(labels):
        raise InvalidInput(f"Offer 2 to {MOST_OPTIONS} different options, or none.", field="options")
    choices = [Option(id=str(number), label=label) for number, label in enumerate(labels, start=1)]
    return Choice(text=question, options=choices)
