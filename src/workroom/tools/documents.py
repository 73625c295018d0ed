"""What is in documents and archives, part by part: only what is asked for is read, and it is kept for the next question."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workroom.agent.tool import Asked, ToolContext, tool
from workroom.contents.outlines import brief, members_listed, outline
from workroom.contents.parts import Wish
from workroom.contents.places import holds_files
from workroom.contents.pointing import section_like
from workroom.contents.quoting import quote
from workroom.contents.service import Reader
from workroom.core.actions import OpenFile
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.results import ToolResult
from workroom.core.sources import Source, citation, mark_of, unmarked
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.documents.types import ContentObject, ContentType, Structure
from workroom.files.finder import unquoted
from workroom.files.service import Files
from workroom.files.tree import ensure_path
from workroom.files.types import NewFile
from workroom.tools.files import FolderPath, ask_to_store
from workroom.tools.places import (
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

MEMBERS = 300  # listed at a time
NEAREST = 15

Page = Annotated[int, Field(ge=1, le=100_000)]
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


@tool("browseContainer", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS)
async def browse_container(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803 -- the model's spelling
    inside: Inside = "",
    page: Page = 1,
    show: Show = False,
) -> ToolResult:
    """See what a file is made of before reading it: the files in an archive or mail; the sections of a document with their
    ids and pages, its sheets, slides and counts. Nothing is unpacked or read for that."""
    place = await place_of(ctx, fileId, inside)
    reader = ctx.use(Reader)
    reading = await reader.reading(ctx.who, place)
    if reading.problem is None and holds_files(reading.media_type):
        members, more = await reader.members(ctx.who, place, start=(page - 1) * MEMBERS, limit=MEMBERS)
        about = outline(reading) if page == 1 else []
        pages, at = [[*about, *members_listed(members)]], 0
    else:
        pages, at = _pages(outline(reading)), page - 1
        more = at + 1 if at + 1 < len(pages) else None
    if at >= len(pages) or not pages[at]:
        raise InvalidInput(f"There is no page {page} of what is in {place.name}.", field="page")
    note = [] if more is None else [f"[there is more: call browseContainer with page {page + 1}]"]
    return ToolResult(message="\n".join([*pages[at], *note]), actions=opening(place, show))


@tool("readContentObjects", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS)
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
    document = await ctx.use(Reader).document(ctx.who, place)
    wish = _wish(document.structure, filter)
    types = {ContentType(filter.content_type)} if filter.content_type else set()
    found = await quote(document, wish, ROOM, after=after(cursor), types=types)
    text = continued(found) or "[nothing of that kind is there; a scan is read with extractContent, mode ocr]"
    at = {
        "page": wish.pages[0] if wish.pages else None,
        "slide": filter.slide,
        "sheet": wish.sheets[0] if wish.sheets else None,
        "section": wish.sections[0] if wish.sections else None,
    }
    return ToolResult(message=text, actions=opening(place, show, **at), sources=found.sources)


@tool("readSection", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS)
async def read_section(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    sectionId: Annotated[str, Field(min_length=1, max_length=300)],  # noqa: N803
    inside: Inside = "",
    cursor: Cursor = "",
    show: Show = False,
) -> ToolResult:
    """Read one section of a document with those below it. `sectionId` is an id such as `s1.2` that browseContainer shows; a
    number or title that only one has is understood, too."""
    place = await place_of(ctx, fileId, inside)
    document = await ctx.use(Reader).document(ctx.who, place)
    section_id = section_named(document.structure, sectionId)
    wish = Wish(sections=(section_id,))
    found = await quote(document, wish, ROOM, after=after(cursor))
    text = continued(found) or "[nothing is written in it]"
    return ToolResult(message=text, actions=opening(place, show, section=section_id), sources=found.sources)


@tool("extractContainerItem", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS)
async def extract_container_item(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    show: Show = False,
) -> ToolResult:
    """Look into one file of an archive or mail: its structure and the beginning of its text. `path` is as browseContainer
    lists it, also through archives in archives. Use saveContainerItem to make it a file of the workspace."""
    place = await place_of(ctx, fileId, path)
    reader = ctx.use(Reader)
    document = await reader.document(ctx.who, place)
    reading = document.reading
    lines, sources = brief(reading), list[Source]()
    if reading.problem is None and reading.is_container:
        members, more = await reader.members(ctx.who, place, limit=MEMBERS)
        lines += [*members_listed(members), *(["[browseContainer lists the rest]"] if more is not None else [])]
    elif reading.problem is None:
        found = await quote(document, Wish(), ROOM // 2)
        lines, sources = [*lines, "", found.text or "[nothing is written in it]"], found.sources
        lines += [f"[there is more: readFile, fileId {place.file.id}, inside “{place.inside}”]"] if found.more else []
    return ToolResult(message="\n".join(lines), actions=opening(place, show), sources=sources)


async def _ask_to_save(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    folder: FolderPath = "",
) -> Asked | None:
    place = await place_of(ctx, fileId, path)
    return await ask_to_store(ctx, unquoted(folder), NewFile(place.name, media_type=place.key.media_type))


@tool(
    "saveContainerItem", effect="ours", sets={"core"}, untrusted=True, seconds=SECONDS, confirm_untrusted=_ask_to_save
)
async def save_container_item(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    path: MemberPath,
    folder: FolderPath = "",
) -> ToolResult:
    """Take one file out of an archive or mail and keep it as a file of this workspace; folders that are missing are made."""
    reader = ctx.use(Reader)
    await ctx.use(Files).require_storing(ctx.who, ctx.instance_id)
    place = await place_of(ctx, fileId, path)
    await ctx.use(Files).require_storing(ctx.who, ctx.instance_id, size=place.size)
    blob = await reader.put(ctx.who, place)

    async def effect(uow: UnitOfWork) -> ToolResult:
        folder_id = await ensure_path(uow, ctx.who, ctx.instance_id, unquoted(folder))
        file = await reader.record(uow, ctx.who, place, blob, folder_id, ctx.instance_id)
        return ToolResult(message=f"“{file.name}” is a file now; fileId {file.id}.", files=[made(file)])

    return await ctx.commit(effect)


@tool("extractContent", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS)
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
        text = await ctx.use(Reader).recognise(ctx.who, place, page, location)
        where = f"page {page}" if page else location
        at = OpenFile(file_id=place.file.id, inside=place.inside or None, page=page)
        source = Source(mark=mark_of(place.file.id, place.inside, where), label=f"{where} of {place.name}", opens=at)
        head = f"[{unmarked(source.label)}, recognised] {citation([source.mark])}"
        return ToolResult(message=f"{head}\n{unmarked(text) or '[no text was found there]'}", sources=[source])
    document = await ctx.use(Reader).document(ctx.who, place)
    structure = document.structure
    wish = numbered(structure, page) if page is not None else part_at(structure, location or "")

    def wanted(object: ContentObject) -> bool:
        there = location is None or object.ref.location == location or object.ref.location.startswith(f"{location}/")
        return there and (mode == "text" or object.metadata.get("table") is True)

    found = await quote(document, wish, ROOM, accept=wanted)
    if not found.objects:
        kind = "table" if mode == "table" else "text"
        return ToolResult(message=f"[no {kind} was found there; a scan or picture is read with mode ocr]")
    more = "\n\n[there is more; readContentObjects reads on]" if found.more else ""
    return ToolResult(message=found.text + more, sources=found.sources)


def _wish(structure: Structure, wanted: ContentFilter) -> Wish:
    pages = tuple(index + 1 for index in wanted.page_index)
    slides = (wanted.slide,) if wanted.slide else ()
    if pages and not structure.pages and structure.slides:  # slides are pages to many
        pages, slides = (), (*pages, *slides)
    return Wish(
        pages=pages,
        slides=slides,
        sheets=(wanted.sheet,) if wanted.sheet else (),
        sections=(section_named(structure, wanted.section),) if wanted.section else (),
    )


def numbered(structure: Structure, page: int) -> Wish:
    return Wish(slides=(page,)) if structure.slides and not structure.pages else Wish(pages=(page,))


def part_at(structure: Structure, location: str) -> Wish:
    """Which part to read for a location, if it says so: `page:5/region:bottomLeft` is on page 5."""
    kind, _, name = location.split("/", 1)[0].partition(":")
    if kind == "page" and structure.pages and name.isascii() and name.isdigit():
        return Wish(pages=(int(name),))
    if kind == "slide" and structure.slides and name.isascii() and name.isdigit():
        return Wish(slides=(int(name),))
    if kind == "sheet" and any(sheet.name == name for sheet in structure.sheets):
        return Wish(sheets=(name,))
    return Wish()


def section_named(structure: Structure, name: str) -> str:
    if (found := section_like(structure, name)) is not None:
        return found.id
    if not structure.sections:
        raise NotFound("This document has no sections. Read its pages, sheets or slides, or all of it with readFile.")
    listed = "; ".join(f"{section.id} {section.title[:80]}" for section in structure.sections[:NEAREST])
    raise NotFound(f"There is no section “{name[:100]}”. There is: {listed}. browseContainer shows all of them.")


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
