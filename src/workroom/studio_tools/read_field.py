"""The whole text of a block."""

from __future__ import annotations

from workroom.agent.tool import ToolContext, tool
from workroom.core.results import ToolResult
from workroom.studio_tools.shared.project import FieldName, by_others, open_project


@tool("read_field", effect="read", sets={"studio"}, needs="project")
async def read_field(ctx: ToolContext, field_name: FieldName) -> ToolResult:
    """Read the whole text of a block."""
    opened = await open_project(ctx)
    block = await opened.text_of(opened.block(field_name))
    if not block.text:
        return ToolResult(message=f"“{block.name}” is empty: nothing is written in it yet.")
    return ToolResult(message=block.text).marked(untrusted=by_others(ctx, block))
