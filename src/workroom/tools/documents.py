"""What is in documents and archives, part by part: only what is asked for is read, and it is kept for the next question."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.contents.document_locator import holds_files
from workroom.contents.outlines import brief, members_listed, outline
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import place_at, quote
from workroom.contents.recognised import PictureLocation, object_of
from workroom.contents.service import DocumentReader
from workroom.core.actions import OpenFile
from workroom.core.errors import InvalidInput
from workroom.core.results import ToolResult
from workroom.core.sources import Source, citation, mark_of, unmarked
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.documents.types import ContentObject, ContentType, Structure
from workroom.files.finder import unquoted
from workroom.files.service import Files
from workroom.files.tree import ensure_path
from workroom.files.types import NewFile
from workroom.tools.shared.document_parts import Page, numbered, part_at, section_named
from workroom.tools.shared.file_arguments import (
    ROOM,
    SECONDS,
    Cursor,
    FileName,
    Inside,
    Show,
    after,
    continued,
    made,
    opening,
    place_of,
)
from workroom.tools.shared.file_storage import FolderPath, ask_to_store

MEMBERS = 300  # listed at a time

MemberPath = Annotated[str, Field(min_length=1, max_length=4_096)]


class ContentFilter(Wire):
    """What of a document is wanted; nothing said means all of it. `pageIndex` counts from 0, `slide` from 1; `section` is an
    id, number or title, `sheet` a name."""

    page_index: Annotated[tuple[Annotated[int, Field(ge=0, le=100_000)], ...], Field(max_length=500)] = ()
    content_type: Literal["text", "image", "videostream", "audiostream", "other"] | None = None
    section: Annotated[str, Field(max_length=300)] | None = None
    sheet: Annotated[str, Field(max_length=300)] | None = None
    slide: Page | None = None


EVERYTHING = ContentFilter()


@tool("browseContainer", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files")
async def browse_container(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803 -- the model's spelling
    inside: Inside = "",
    page: Page = 1,
    show: Show = False,
) -> ToolResult:
    """See what a file is made of: files in an archive or mail, sections with their ids, sheets, slides."""
    place = await place_of(ctx, fileId, inside)
    reader = ctx.use(DocumentReader)
    reading = await reader.reading(ctx.principal, place)
    if reading.problem is None and holds_files(reading.media_type):
        members, more = await reader.members(ctx.principal, place, start=(page - 1) * MEMBERS, limit=MEMBERS)
        about = outline(reading) if page == 1 else []
        pages, at = [[*about, *members_listed(members)]], 0
    else:
        pages, at = _pages(outline(reading)), page - 1
        more = at + 1 if at + 1 < len(pages) else None
    if at >= len(pages) or not pages[at]:
        raise InvalidInput(f"There is no page {page} of what is in {place.name}.", field="page")
    note = [] if more is None else [f"[there is more: call browseContainer with page {page + 1}]"]
    return ToolResult(message="\n".join([*pages[at], *note]), actions=opening(place, show))


@tool("readContentObjects", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files", rare=True)
async def read_content_objects(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    filter: ContentFilter = EVERYTHING,
    inside: Inside = "",
    cursor: Cursor = "",
    show: Show = False,
) -> ToolResult:
    """Read parts of a document in reading order: pages, a section, a sheet, a slide, or one kind of content. Tables are
    Markdown; pictures and recordings are named with their location, for extractContent. `pageIndex` counts from 0: page 47
    is 46."""
    place = await place_of(ctx, fileId, inside)
    document = await ctx.use(DocumentReader).document(ctx.principal, place)
    selection = _wish(document.structure, filter)
    types = {ContentType(filter.content_type)} if filter.content_type else set()
    found = await quote(document, selection, ROOM, after=after(cursor), types=types)
    text = continued(found) or "[nothing of that kind is there; a scan is read with extractContent, mode ocr]"
    at = {
        "page": selection.pages[0] if selection.pages else None,
        "slide": filter.slide,
        "sheet": selection.sheets[0] if selection.sheets else None,
        "section": selection.sections[0] if selection.sections else None,
    }
    return ToolResult(message=text, actions=opening(place, show, **at), sources=found.sources)


@tool("readSection", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files", rare=True)
async def read_section(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    sectionId: Annotated[str, Field(min_length=1, max_length=300)],  # noqa: N803
    inside: Inside = "",
    cursor: Cursor = "",
    show: Show = False,
) -> ToolResult:
    """Read one section of a document; `sectionId` is its id, number or title, as browseContainer shows it."""
    place = await place_of(ctx, fileId, inside)
    document = await ctx.use(DocumentReader).document(ctx.principal, place)
    section_id = section_named(document.structure, sectionId)
    selection = PartSelection(sections=(section_id,))
    found = await quote(document, selection, ROOM, after=after(cursor))
    text = continued(found) or "[nothing is written in it]"
    return ToolResult(message=text, actions=opening(place, show, section=section_id), sources=found.sources)


@tool("extractContainerItem", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files", rare=True)
async def extract_container_item(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    show: Show = False,
) -> ToolResult:
    """Look into one file of an archive or mail: its structure and the beginning of its text. `path` is as browseContainer
    lists it, also through archives in archives. Use saveContainerItem to make it a file of the workspace."""
    place = await place_of(ctx, fileId, path)
    reader = ctx.use(DocumentReader)
    document = await reader.document(ctx.principal, place)
    reading = document.reading
    lines, sources = brief(reading), list[Source]()
    if reading.problem is None and reading.is_container:
        members, more = await reader.members(ctx.principal, place, limit=MEMBERS)
        lines += [*members_listed(members), *(["[browseContainer lists the rest]"] if more is not None else [])]
    elif reading.problem is None:
        found = await quote(document, PartSelection(), ROOM // 2)
        lines, sources = [*lines, "", found.text or "[nothing is written in it]"], found.sources
        lines += [f"[there is more: readFile, fileId {place.file.id}, inside “{place.inside}”]"] if found.more else []
    return ToolResult(message="\n".join(lines), actions=opening(place, show), sources=sources)


async def _ask_to_save(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    folder: FolderPath = "",
) -> ConfirmPrompt | None:
    place = await place_of(ctx, fileId, path)
    return await ask_to_store(ctx, unquoted(folder), NewFile(place.name, media_type=place.key.media_type))


@tool(
    "saveContainerItem",
    effect="ours",
    sets={"core"},
    untrusted=True,
    seconds=SECONDS,
    confirm_untrusted=_ask_to_save,
    needs="files",
    rare=True,
)
async def save_container_item(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    folder: FolderPath = "",
) -> ToolResult:
    """Take one file out of an archive or mail and keep it as a file of this workspace; folders that are missing are made."""
    reader = ctx.use(DocumentReader)
    await ctx.use(Files).require_storing(ctx.principal, ctx.instance_id)
    place = await place_of(ctx, fileId, path)
    await ctx.use(Files).require_storing(ctx.principal, ctx.instance_id, size=place.size)
    blob = await reader.put(ctx.principal, place)

    async def effect(uow: UnitOfWork) -> ToolResult:
        folder_id = await ensure_path(uow, ctx.principal, ctx.instance_id, unquoted(folder))
        file = await reader.record(uow, ctx.principal, place, blob, folder_id, ctx.instance_id)
        return ToolResult(message=f"“{file.name}” is a file now; fileId {file.id}.", files=[made(file)])

    return await ctx.commit(effect)


@tool("extractContent", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files", rare=True)
async def extract_content(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    mode: Literal["text", "table", "ocr"],
    page: Page | None = None,
    location: Annotated[str, Field(max_length=500)] | None = None,
    inside: Inside = "",
) -> ToolResult:
    """Read a single element: the text or the tables (as Markdown) of a `page`, counted from 1, or of a `location` that an
    earlier result named, such as `page:5/image:1`; or, with mode `ocr`, the text in a scanned page or a picture."""
    place = await place_of(ctx, fileId, inside)
    if (page is None) == (location is None):
        raise InvalidInput("Say a page or a location, and not both.")
    if mode == "ocr":
        text = await ctx.use(DocumentReader).recognise(ctx.principal, place, page, location)
        where = f"page {page}" if page else location
        ref = object_of(PictureLocation(None if page is None else page - 1, location), place.container_path, text).ref
        source = Source(
            mark=mark_of(place.file.id, place.inside, where),
            place=place_at(ref, place.container_path).model_copy(update={"recognised": True}),
            opens=OpenFile(file_id=place.file.id, inside=place.inside or None, page=page),
        )
        head = f"[{unmarked(f'{where} of {place.name}')}, recognised] {citation([source.mark])}"
        return ToolResult(message=f"{head}\n{unmarked(text) or '[no text was found there]'}", sources=[source])
    document = await ctx.use(DocumentReader).document(ctx.principal, place)
    structure = document.structure
    selection = numbered(structure, page) if page is not None else part_at(structure, location or "")

    def wanted(object: ContentObject) -> bool:
        there = location is None or object.ref.location == location or object.ref.location.startswith(f"{location}/")
        return there and (mode == "text" or object.metadata.get("table") is True)

    found = await quote(document, selection, ROOM, accept=wanted)
    if not found.objects:
        kind = "table" if mode == "table" else "text"
        return ToolResult(message=f"[no {kind} was found there; a scan or picture is read with mode ocr]")
    more = "\n\n[there is more; readContentObjects reads on]" if found.more else ""
    return ToolResult(message=found.text + more, sources=found.sources)


def _wish(structure: Structure, wanted: ContentFilter) -> PartSelection:
    pages = tuple(index + 1 for index in wanted.page_index)
    slides = (wanted.slide,) if wanted.slide else ()
    if pages and not structure.pages and structure.slides:  # slides are pages to many
        pages, slides = (), (*pages, *slides)
    return PartSelection(
        pages=pages,
        slides=slides,
        sheets=(wanted.sheet,) if wanted.sheet else (),
        sections=(section_named(structure, wanted.section),) if wanted.section else (),
    )


def _pages(lines: list[str]) -> list[list[str]]:
    """As many lines to a page as fit; at least one."""
    pages: list[list[str]] = [[]]
    spent = 0
    for line in lines:
        if pages[-1] and spent + len(line) > ROOM:
            pages.append([])
            spent = 0
        pages[-1].append(line)
        spent += len(line) + 1
    return pages
