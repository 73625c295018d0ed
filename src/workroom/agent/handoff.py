"""How a handoff shows in the messages of a run."""

from __future__ import annotations

from workroom.agent.registry import HAND_OFF
from workroom.core.messages import Message, ResultPart
from workroom.core.results import ResultStatus, ToolResult


def handoff_result(message: Message) -> ToolResult | None:
    """The successful handoff among these results, if there is one: it ends the agent's turn, and another goes on."""
    for part in message.parts:
        if isinstance(part, ResultPart) and part.tool == HAND_OFF and part.result.status is ResultStatus.OK:
            return part.result
    return None
