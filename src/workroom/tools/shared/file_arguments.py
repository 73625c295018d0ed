"""Arguments that name a file or a part of it, and how what was read of it becomes a result."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ToolContext
from workroom.contents.quotes import Quote
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.actions import OpenFile, UiAction
from workroom.core.errors import InvalidInput
from workroom.core.results import MadeFile
from workroom.files.finder import LONGEST, Finder
from workroom.files.types import File

ROOM = 15_000  # characters of one result: one page of what a model is shown
SECONDS = 120.0

FileName = Annotated[str, Field(min_length=1, max_length=LONGEST, description="Id, name or path.")]
Inside = Annotated[str, Field(max_length=LONGEST, description="Path in the archive or mail.")]
Cursor = Annotated[str, Field(max_length=20, description="Where an earlier result said that it goes on.")]
Show = Annotated[bool, Field(description="Also open it for the user to see.")]
CURSOR = re.compile(r"(\d{1,7})\.(\d{1,9})")


async def place_of(ctx: ToolContext, name: str, inside: str = "") -> StoredDocument:
    """Whatever the model called it by; rights are checked like everywhere."""
    found = await ctx.use(Finder).find(ctx.principal, ctx.instance_id, name)
    path = "/".join(filter(None, [found.inside, inside.strip("/")]))
    return await ctx.use(DocumentReader).place(ctx.principal, found.file.id, path)


async def whole_file(ctx: ToolContext, name: str) -> File:
    """A file that is to be changed. What lies in an archive is none."""
    found = await ctx.use(Finder).find(ctx.principal, ctx.instance_id, name)
    if found.inside:
        raise InvalidInput("What lies in an archive cannot be changed. saveContainerItem takes it out first.")
    return found.file


def opening(place: StoredDocument, show: bool, **at: Any) -> list[UiAction]:
    """The action that shows it, if that was asked for."""
    return [OpenFile(file_id=place.file.id, inside=place.inside or None, **at).action()] if show else []


def after(cursor: str) -> tuple[int, int]:
    if not cursor:
        return 0, 0
    if not (found := CURSOR.fullmatch(cursor.strip())):
        raise InvalidInput("A cursor is what an earlier result gave, such as `2.0`.", field="cursor")
    return int(found[1]), int(found[2])


def continued(quote: Quote) -> str:
    """What was quoted, and how it goes on."""
    notes = []
    if quote.more is not None:
        notes.append(f"[there is more: the same call with cursor `{quote.more[0]}.{quote.more[1]}` reads on]")
    elif quote.cut:
        notes.append("[the file has more than is kept of it]")
    return "\n\n".join([quote.text, *notes]) if quote.text else "\n".join(notes)


def made(file: File) -> MadeFile:
    return MadeFile(file_id=file.id, name=file.name, version=file.version)
