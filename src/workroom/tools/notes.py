"""Notes of the workspace. Changing one is a proposal, deleting one is confirmed; both can be undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.pause_answers import declined
from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.pages import PageRequest
from workroom.core.pauses import Proposal, Reviewed
from workroom.core.results import ToolResult, result_of
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.notes import service
from workroom.notes.service import LONGEST_TEXT, Notes
from workroom.notes.types import Note
from workroom.tools.shared.authors import by_others
from workroom.tools.shared.item_references import ItemLookup, ItemReference, find_item

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


async def _ask_to_write(ctx: ToolContext, title: str, text: Text) -> ConfirmPrompt:
    return ConfirmPrompt(f"Write the note “{title[:200]}”? Everyone in this workspace can read it.", title[:200])


@tool("writeNote", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_write)
async def write_note(ctx: ToolContext, title: str, text: Text) -> Note:
    """Write a note that members of this workspace can read."""
    return await ctx.commit(lambda uow: service.write(uow, ctx.principal, ctx.instance_id, title, text))


@tool("listNotes", effect="read", sets={"core"}, needs="notes")
async def list_notes(ctx: ToolContext, query: str = "", limit: int = 20) -> ToolResult:
    """List notes of this workspace, newest first; `query` is words in title or text."""
    request = PageRequest(query=query, order="desc", limit=min(max(limit, 1), 100))
    notes = (await ctx.use(Notes).list(ctx.principal, ctx.instance_id, request)).items
    return result_of(list(notes)).marked(untrusted=by_others(ctx, notes))


@tool("readNote", effect="read", sets={"core"}, needs="notes")
async def read_note(ctx: ToolContext, noteId: ItemReference) -> ToolResult:  # noqa: N803 -- the model's spelling
    """Read one note as a whole."""
    note = await _find(ctx, noteId, Action.READ)
    return result_of(note).marked(untrusted=by_others(ctx, [note]))


async def _store_edit(ctx: ToolContext, pause: Proposal, answer: Reviewed) -> Note | ToolResult:
    """What was accepted is stored, unless the note has changed since it was proposed."""
    if not answer.accepted:
        return declined()
    note_id, seen = UUID(pause.data["noteId"]), datetime.fromisoformat(pause.data["updatedAt"])
    text = pause.after if answer.text is None else answer.text
    return await ctx.commit(
        lambda uow: service.change(uow, ctx.principal, ctx.instance_id, note_id, text=text, seen=seen)
    )


async def _is_reviewed(ctx: ToolContext, noteId: ItemReference, text: Text) -> None:  # noqa: N803
    """The call only proposes; what it proposes is stored when the user accepts it."""


@tool(
    "editNote",
    effect="ours",
    sets={"core"},
    pauses=True,
    answered=_store_edit,
    confirm_untrusted=_is_reviewed,
    needs="notes",
)
async def edit_note(ctx: ToolContext, noteId: ItemReference, text: Text) -> Proposal:  # noqa: N803
    """Propose a new text for a whole note; the user accepts it or not."""
    note = await _find(ctx, noteId, Action.UPDATE)
    return Proposal(
        text=f"Change the note “{note.title}”?",
        name=note.title,
        before=note.text,
        after=text,
        data={"noteId": str(note.id), "updatedAt": note.updated_at.isoformat()},
    )


async def _ask_to_delete(ctx: ToolContext, noteId: ItemReference) -> ConfirmPrompt:  # noqa: N803
    note = await _find(ctx, noteId, Action.DELETE)
    return ConfirmPrompt(f"Delete the note “{note.title}”? It can be restored for thirty days.", note.title)


@tool("deleteNote", effect="ours", sets={"core"}, confirm=_ask_to_delete, needs="notes")
async def delete_note(ctx: ToolContext, noteId: ItemReference) -> str:  # noqa: N803
    """Delete a note; the user is asked first."""
    note = await _find(ctx, noteId, Action.DELETE)

    async def effect(uow: UnitOfWork) -> str:
        deleted = await service.NOTES.move_to_trash(uow, ctx.principal, ctx.instance_id, note.id)
        return f"The note “{deleted.title}” is in the trash."

    return await ctx.commit(effect)


async def _find(ctx: ToolContext, reference: str, action: Action) -> Note:
    notes, place = ctx.use(Notes), (ctx.principal, ctx.instance_id)
    lookup = ItemLookup(
        "note",
        get=lambda note_id, action: notes.get(*place, note_id, action),
        search=lambda request: notes.list(*place, request, in_text=False),
        suggest=lambda request: notes.list(*place, replace(request, order="desc")),
    )
    return await find_item(ctx, lookup, reference, action)
