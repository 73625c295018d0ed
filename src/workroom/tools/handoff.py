"""Handing a question to another agent. Offered to agents that have somebody to hand over to."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.results import ToolResult
from workroom.runs import handoffs
from workroom.runs.switching import LONGEST_REASON


@tool("handOff", effect="ours")
async def hand_off(
    ctx: ToolContext,
    agent: Annotated[str, Field(min_length=1, max_length=200)],
    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)],
) -> ToolResult:
    """Hand this question to another agent who is better suited for it, and end your turn. `agent` is a name of those you can
    hand over to; `reason` is shown to the user. Do it before you answer, not after."""
    return await ctx.commit(lambda uow: handoffs.hand_over(uow, ctx.who, ctx.call_id, agent, reason))
