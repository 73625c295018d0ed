"""Files of the workspace: find, read, write, move, tag. What is in documents and archives is in `documents.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.contents.document import Document
from workroom.contents.outlines import brief, members_listed
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import Quote, quote
from workroom.contents.service import DocumentReader
from workroom.core.errors import InvalidInput
from workroom.core.pages import PageRequest
from workroom.core.places import number_ranges
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.documents.kinds import media_type_of_name
from workroom.documents.sniffing.names import is_textual
from workroom.files import edits
from workroom.files.finder import Finder, unquoted
from workroom.files.names import MOST_TAGS, clean_tags, tag_key
from workroom.files.new_files import LONGEST_DESCRIPTION
from workroom.files.service import Files
from workroom.files.tree import FolderTree, ensure_path
from workroom.files.types import ROOT, File, FileChange, FileFilter, NewFile
from workroom.identity.types import Action
from workroom.runs.call_agents import calling_agent
from workroom.tools.shared.file_arguments import (
    ROOM,
    SECONDS,
    FileName,
    Inside,
    Show,
    made,
    opening,
    place_of,
    whole_file,
)
from workroom.tools.shared.file_storage import FolderPath, ask_to_store

LONGEST_TEXT = 1_000_000
LONGEST_PAGE = 100_000
PAGES_AT_ONCE = 10
LISTED = 100

Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=MOST_TAGS)]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Description = Annotated[str, Field(max_length=LONGEST_DESCRIPTION)]


@tool("listFiles", effect="read", sets={"core"}, untrusted=True, needs="files")
async def list_files(
    ctx: ToolContext,
    tags: Tags | None = None,
    folder: FolderPath | None = None,
    type: Annotated[str, Field(max_length=100)] | None = None,
    pattern: Annotated[str, Field(max_length=255)] | None = None,
    query: Annotated[str, Field(max_length=200)] = "",
    limit: Annotated[int, Field(ge=1, le=200)] = 50,
) -> ToolResult:
    """List files of this workspace. `type` is such as `pdf` or `image`, `pattern` a name with `*`, `query`
    words in name, description or tags."""
    tree = await ctx.use(Finder).tree(ctx.principal, ctx.instance_id)
    within = None if folder is None else tree.find(unquoted(folder))
    wanted = FileFilter(
        folder_id=None if folder is None else within.id if within else ROOT,
        tags=tuple(tags or ()),
        type=_storable(type) or None,
        pattern=_storable(pattern) or None,
    )
    request = PageRequest(query=_storable(query), sort="updatedAt", order="desc", limit=limit)
    page = await ctx.use(Files).list(ctx.principal, ctx.instance_id, request, wanted)
    more = f", the first {len(page.items)} of them here" if page.next_cursor else ""
    below = [f for f in tree.folders if f.parent_id == (within.id if within else None)] if folder is not None else []
    data = {"folders": sorted(tree.path(f.id) for f in below)[:LISTED]} if below else {}
    return ToolResult(message=f"{page.total} files{more}.", items=[_row(file, tree) for file in page.items], data=data)


@tool("readFile", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files")
async def read_file(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803 -- the model's spelling
    page: Annotated[int, Field(ge=1, le=LONGEST_PAGE)] = 1,
    inside: Inside = "",
    show: Show = False,
) -> ToolResult:
    """Read a file as text, from a page or slide on; of an archive you get what lies in it."""
    place = await place_of(ctx, fileId, inside)
    document = await ctx.use(DocumentReader).document(ctx.principal, place)
    reading = document.reading
    if reading.is_container and reading.problem is None:
        members, more = await ctx.use(DocumentReader).members(ctx.principal, place, limit=LISTED)
        lines = [*brief(reading), *members_listed(members), *(["[browseContainer lists the rest]"] if more else [])]
        return ToolResult(message="\n".join(lines), actions=opening(place, show))
    if reading.structure is not None and (reading.structure.pages or reading.structure.slides):
        found = await _from_page(document, page)
        kind = "page" if reading.structure.pages else "slide"
        at = {kind: page}
    else:
        found, at = await _nth_part(document, page), {}
    return ToolResult(message=found.text, actions=opening(place, show, **at), sources=found.sources)


async def _ask_to_write(
    ctx: ToolContext,
    name: Name,
    text: Text,
    folder: FolderPath = "",
    tags: Tags | None = None,
    description: Description | None = None,
) -> ConfirmPrompt | None:
    path, new = _written(name, folder, tags, description)
    return await ask_to_store(ctx, path, new)


@tool("writeFile", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_write)
async def write_file(
    ctx: ToolContext,
    name: Name,
    text: Text,
    folder: FolderPath = "",
    tags: Tags | None = None,
    description: Description | None = None,
) -> ToolResult:
    """Write a text file (`.md`, `.csv`, code …) into this workspace; a file of that name gets a new version."""
    path, new = _written(name, folder, tags, description)
    files = ctx.use(Files)
    await files.require_storing(ctx.principal, ctx.instance_id, size=len(text))
    blob = await files.put(ctx.principal, _chunks(text))

    async def effect(uow: UnitOfWork) -> ToolResult:
        folder_id = await ensure_path(uow, ctx.principal, ctx.instance_id, path)
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        placed = replace(new, folder_id=folder_id)
        file = await files.record(uow, ctx.principal, ctx.instance_id, placed, blob, agent)
        if file.version > 1 and (tags is not None or description is not None):
            change = FileChange(description=description, tags=None if tags is None else tuple(tags))
            file = await edits.change(uow, ctx.principal, file.id, change)
        done = "is written" if file.version == 1 else f"has version {file.version} now"
        message = f"“{file.name}” {done}; fileId {file.id}."
        return ToolResult(message=message, files=[made(file)])

    return await ctx.commit(effect)


async def _ask_to_move(ctx: ToolContext, fileId: FileName, folder: FolderPath) -> ConfirmPrompt:  # noqa: N803
    file = await whole_file(ctx, fileId)
    move = f"{file.name} → /{unquoted(folder).strip('/')}"
    return ConfirmPrompt(f"Move this file: {move}?", move)


@tool("moveFile", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_move, needs="files", rare=True)
async def move_file(ctx: ToolContext, fileId: FileName, folder: FolderPath) -> ToolResult:  # noqa: N803
    """Move a file into a folder; folders of the path that are missing are made."""
    found = await whole_file(ctx, fileId)

    async def effect(uow: UnitOfWork) -> ToolResult:
        file = await edits.get_file(uow, ctx.principal, Action.UPDATE, found.id)
        folder_id = await ensure_path(uow, ctx.principal, file.instance_id, unquoted(folder))
        await edits.change(uow, ctx.principal, file.id, FileChange(move=True, folder_id=folder_id))
        return ToolResult(message=f"“{file.name}” lies in {folder.strip() or '/'} now.")

    return await ctx.commit(effect)


async def _ask_to_tag(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    add: Tags | None = None,
    remove: Tags | None = None,
) -> ConfirmPrompt:
    file = await whole_file(ctx, fileId)
    return ConfirmPrompt(f"Change the tags of the file “{file.name}”?", file.name)


@tool("tagFile", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_tag, needs="files", rare=True)
async def tag_file(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    add: Tags | None = None,
    remove: Tags | None = None,
) -> ToolResult:
    """Add tags to a file, or remove some. A folder may file it by its tags."""
    found = await whole_file(ctx, fileId)

    async def effect(uow: UnitOfWork) -> ToolResult:
        file = await edits.get_file(uow, ctx.principal, Action.UPDATE, found.id, lock=True)
        gone = {tag_key(tag) for tag in clean_tags(remove or ())}
        tags = (*(tag for tag in file.tags if tag_key(tag) not in gone), *(add or ()))
        changed = await edits.change(uow, ctx.principal, file.id, FileChange(tags=tags))
        return ToolResult(message=f"“{changed.name}” has the tags: {', '.join(changed.tags) or 'none'}.")

    return await ctx.commit(effect)


async def _from_page(document: Document, first: int) -> Quote:
    """From that page or slide on, as many as fit."""
    structure = document.structure
    paged = bool(structure.pages)
    count = structure.pages or len(structure.slides)
    kind = "page" if paged else "slide"
    numbers = tuple(range(first, min(first + PAGES_AT_ONCE, count + 1))) or (first,)
    selection = PartSelection(pages=numbers) if paged else PartSelection(slides=numbers)
    found = await quote(document, selection, ROOM)
    following = numbers[-1] + 1
    if found.more is not None:
        at, sequence = found.more
        following = numbers[at]
        if at == 0:
            how = f'filter {{"{"pageIndex" if paged else "slide"}": {[first - 1] if paged else first}}}'
            note = f"[{kind} {first} goes on: readContentObjects, {how}, cursor `0.{sequence}`]"
            return replace(found, text=f"{found.text}\n\n{note}")
        # What does not fit whole comes whole with the next call.
        if sequence:
            found = await quote(document, _before(selection, at), ROOM)
    empty = f"[nothing is written on {kind} {number_ranges(numbers)}; a scan is read with extractContent, mode ocr]"
    note = f"[{kind} {following} of {count} is next: call readFile with page {following}]" if following <= count else ""
    return replace(found, text="\n\n".join(filter(None, [found.text or empty, note])))


def _before(selection: PartSelection, count: int) -> PartSelection:
    return PartSelection(pages=selection.pages[:count], slides=selection.slides[:count])


async def _nth_part(document: Document, number: int) -> Quote:
    """A running text in parts; those before it are passed over."""
    at: tuple[int, int] | None = (0, 0)
    found = Quote("", 0)
    for count in range(1, number + 1):
        if at is None:
            raise InvalidInput(
                f"There is no page {number}: {document.stored_document.name} has {count - 1}.", field="page"
            )
        found = await quote(document, PartSelection(), ROOM, after=at)
        at = found.more
    note = f"[page {number}; there is more: call readFile with page {number + 1}]" if at is not None else ""
    cut = "[the file has more than is kept of it]" if found.cut and not note else ""
    return replace(found, text="\n\n".join(filter(None, [found.text or "[nothing is written in it]", note, cut])))


def _row(file: File, tree: FolderTree) -> dict[str, Any]:
    return {
        "name": file.name,
        "path": tree.path_of(file),
        "type": file.media_type,
        "size": file.size,
        "tags": file.tags,
        "description": file.description,
        "updatedAt": file.updated_at.isoformat(timespec="seconds"),
        "id": str(file.id),
    }


def _written(name: str, folder: str, tags: list[str] | None, description: str | None) -> tuple[str, NewFile]:
    """The folder a text goes to, as a path, and the file it becomes there."""
    above, _, plain_name = name.rpartition("/")
    kind = media_type_of_name(plain_name)
    if kind is not None and not is_textual(kind):
        raise InvalidInput(
            f"writeFile writes texts, and “{plain_name[:100]}” would not be one. Choose an ending such as .md, .txt or .csv.",
            field="name",
        )
    new = NewFile(plain_name, media_type=kind or "text/plain", tags=tuple(tags or ()), description=description or "")
    return "/".join(filter(None, [unquoted(folder), above])), new


def _storable(text: str | None) -> str:
    return (text or "").replace("\x00", "").encode("utf-8", "ignore").decode()


async def _chunks(text: str) -> AsyncIterator[bytes]:
    yield text.encode("utf-8", "ignore")
