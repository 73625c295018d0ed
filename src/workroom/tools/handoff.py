"""Handing a question to another agent. Offered to agents that have another agent to hand over to."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.results import ToolResult
from workroom.runs import handoffs
from workroom.runs.switching import LONGEST_REASON

AgentName = Annotated[str, Field(min_length=1, max_length=200)]
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]


async def _stays_here(ctx: ToolContext, agent: AgentName, reason: Reason) -> None:
    """Nothing is written but a line of this conversation, like the answer; the next agent is asked about its own calls."""


@tool("handOff", effect="ours", confirm_untrusted=_stays_here)
async def hand_off(ctx: ToolContext, agent: AgentName, reason: Reason) -> ToolResult:
    """Hand this question to another agent who is better suited, before you answer; `reason` is shown to the user."""
    return await ctx.commit(lambda uow: handoffs.hand_over(uow, ctx.principal, ctx.call_id, agent, reason))
