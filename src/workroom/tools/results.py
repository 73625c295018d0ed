"""Long results, read page by page."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.context import page_of
from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.results import ToolResult
from workroom.runs.service import Runs


@tool("readResult", effect="read", sets={"core"})
async def read_result(ctx: ToolContext, callId: UUID, page: int = 1) -> ToolResult:  # noqa: N803 -- the model's spelling
    """Read on in a long tool result that was cut: `callId` and the number of pages are in the note where it was cut."""
    result = await ctx.use(Runs).result(ctx.principal, ctx.conversation_id, callId)
    text = result.text()
    shown = page_of(text, page, callId) if page >= 1 else ""
    if not shown or shown.startswith("\n["):
        raise InvalidInput(f"There is no page {page} of this result.")
    return ToolResult(message=shown, untrusted=result.untrusted)
