"""A confirmation box: the run waits until the user has said yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.languages import DEFAULT_LANGUAGE
from workroom.core.pauses import Choice, Chosen, Option
from workroom.core.results import ToolResult

YES, NO = "yes", "no"
Label = Annotated[str, Field(max_length=60)]
LABELS: Mapping[str, tuple[str, str]] = {
    "de": ("Ja, bestätigen", "Noch nicht"),
    "en": ("Yes, confirm", "Not yet"),
    "fr": ("Oui, confirmer", "Pas encore"),
    "pt": ("Sim, confirmar", "Ainda não"),
    "zh": ("确认", "暂不"),
}


async def _answered(ctx: ToolContext, pause: Choice, answer: Chosen) -> ToolResult:
    if answer.choice_id == YES:
        return ToolResult(message="The user has confirmed it.", data={"confirmed": True})
    return ToolResult(message="The user has not confirmed it. Ask what should be different.", data={"confirmed": False})


@tool("skill_confirm", effect="read", sets={"skills"}, pauses=True, answered=_answered)
async def skill_confirm(
    ctx: ToolContext,
    text: Annotated[str, Field(min_length=1, max_length=2_000)],
    confirmLabel: Label = "",  # noqa: N803 -- the model's spelling
    cancelLabel: Label = "",  # noqa: N803
) -> Choice:
    """Have the user confirm something before you go on, such as a finished document; `text` says what exactly."""
    yes, no = LABELS.get(ctx.language, LABELS[DEFAULT_LANGUAGE])
    options = [Option(id=YES, label=confirmLabel.strip() or yes), Option(id=NO, label=cancelLabel.strip() or no)]
    return Choice(text=text, options=options, box=True)
