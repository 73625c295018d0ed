"""Tools that a model is not told of in every round: they are found when they are wanted."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.agent.tool_offer import matching
from workroom.core.results import ToolResult


@tool("findTools", effect="read", sets={"core"})
async def find_tools(ctx: ToolContext, query: Annotated[str, Field(min_length=1, max_length=500)]) -> ToolResult:
    """Get more tools, by name or by what they do; you can call them from then on."""
    rare = [one for one in ctx.tools.values() if one.rare]
    found = matching(rare, query)
    if not found:
        return ToolResult(message=f"No tool is like that. There are: {', '.join(one.name for one in rare)}.")
    return ToolResult(message="\n".join(f"{one.name}: {one.description}" for one in found))
