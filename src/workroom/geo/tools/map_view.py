"""The tool that zooms the map of the conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.map_actions import CRS, ZOOM_CLOSEST, ZOOM_WIDEST
from workroom.core.results import ToolResult
from workroom.runs.maps import Maps

NO_VIEW = "The map shows no place yet: find one first."
AT_THE_END = "The map cannot go any further in this direction."
Steps = Annotated[
    int, Field(ge=-12, le=12, description="Above zero: closer; below: more around it. Each doubles the scale.")
]


@tool("map.zoom", effect="read", sets={"map"})
async def zoom(ctx: ToolContext, steps: Steps) -> ToolResult:
    """Show the place that the map of this conversation shows closer, or with more of what is around it."""
    shown = await ctx.use(Maps).view(ctx.principal, ctx.instance_id, ctx.conversation_id, on=ctx.message_id)
    if shown is None:
        return ToolResult(message=NO_VIEW, data={"why": "noView"})
    level = min(max(shown.zoom + steps, ZOOM_WIDEST), ZOOM_CLOSEST)
    if level == shown.zoom or (level > shown.zoom) != (steps > 0):
        return ToolResult(message=AT_THE_END, data={"why": "closest" if steps > 0 else "widest"})
    item = {"id": "view", "coord": list(shown.center), "zoom": level, "crs": CRS, "closer": steps > 0}
    return ToolResult(items=[item])
