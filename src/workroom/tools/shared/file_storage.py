"""Storing a file for a tool: where it goes, and when the user is asked first."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext
from workroom.core.errors import NotFound
from workroom.files.finder import Finder
from workroom.files.service import Files
from workroom.files.types import NewFile

FolderPath = Annotated[str, Field(max_length=4_096, description="Such as `Reports/2026`; `/` is the top.")]


async def ask_to_store(ctx: ToolContext, path: str, new: NewFile) -> ConfirmPrompt | None:
    """What the user has to confirm before the file is stored, if anything.

    A new file is the user's alone, in a folder that is there. A new version replaces something, and a folder that has to be
    made may be seen by others."""
    try:
        folder = (await ctx.use(Finder).tree(ctx.principal, ctx.instance_id)).find(path)
    except NotFound:
        pass
    else:
        placed = replace(new, folder_id=folder.id if folder else None)
        if await ctx.use(Files).replaced(ctx.principal, ctx.instance_id, placed) is None:
            return None
    at = "/".join(filter(None, [path.strip("/"), new.name]))
    return ConfirmPrompt(
        f"Store the file “{at}”? A file of that name gets a new version; missing folders are created.",
        at,
    )
