"""What a prompt is made of, in tokens: shown in the details of a run, and counted by tests."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.agent.context_budget import size
from workroom.core.messages import MaterialPart, Message, ResultPart
from workroom.core.tokens import estimate
from workroom.models.ports import ToolSchema


def section_tokens(
    instructions: str, overview: str, facts: str, tools: Sequence[ToolSchema], messages: Sequence[Message]
) -> dict[str, int]:
    """By section, those that are empty left out. Estimates, as everywhere before a provider has counted."""
    parts = [part for message in messages for part in message.parts]
    materials = sum(estimate(part.text) for part in parts if isinstance(part, MaterialPart))
    results = sum(estimate(part.result.text()) for part in parts if isinstance(part, ResultPart))
    known = estimate(facts)
    counted = {
        "instructions": estimate(instructions),
        "tools": sum(tool.tokens for tool in tools),
        "workspace": estimate(overview),
        "facts": known,
        "materials": materials,
        "results": results,
        "conversation": max(0, size(messages) - materials - results - known),
    }
    return {name: tokens for name, tokens in counted.items() if tokens}
