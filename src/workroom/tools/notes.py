"""Notes of the workspace."""

from __future__ import annotations

from workroom.agent.tool import ToolContext, tool
from workroom.core.pages import PageRequest
from workroom.notes import service
from workroom.notes.service import Notes
from workroom.notes.types import Note


@tool("writeNote", effect="ours", sets={"core"})
async def write_note(ctx: ToolContext, title: str, text: str) -> Note:
    """Write a note into this workspace, where its members will find it again."""
    return await ctx.commit(lambda uow: service.write(uow, ctx.who, ctx.instance_id, title, text))


@tool("listNotes", effect="read", sets={"core"})
async def list_notes(ctx: ToolContext, query: str = "", limit: int = 20) -> list[Note]:
    """List the notes of this workspace, newest first; `query` keeps those that contain it in title or text."""
    request = PageRequest(query=query, order="desc", limit=min(max(limit, 1), 100))
    return list((await ctx.use(Notes).list(ctx.who, ctx.instance_id, request)).items)
