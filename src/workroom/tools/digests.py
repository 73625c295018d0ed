"""Whole documents in a few words, and questions about single elements: tools that ask a model themselves."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.contents.part_resolution import place_of_selection
from workroom.contents.parts import PartSelection
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.actions import OpenFile
from workroom.core.errors import InvalidInput
from workroom.core.places import LONGEST_LABEL
from workroom.core.results import ToolResult
from workroom.core.sources import Source, citation, mark_of, unmarked
from workroom.documents.kinds import is_container
from workroom.documents.types import Structure
from workroom.knowledge.digests.analyses import AnalysedElement, Analyses
from workroom.knowledge.digests.service import Digests
from workroom.knowledge.digests.types import DigestRequest, PartDigest
from workroom.tools.shared.document_parts import Page, numbered, part_at, section_named
from workroom.tools.shared.file_arguments import FileName, Inside, place_of

SECONDS = 900.0
PAGES = re.compile(r"(\d{1,6})(?:\s*[-–—]\s*(\d{1,6}))?")
HOW = {
    "seen": "",
    "read": "[answered from the text alone; no model has looked at it]",
    "recognised": "[no model here can look at pictures: this is the text that was recognised in it, and not an answer]",
}

Language = Annotated[str, Field(max_length=40, description="Else that of the document.")]


@tool("summarizeContent", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files")
async def summarize_content(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803 -- the model's spelling
    section: Annotated[str, Field(max_length=300, description="Its id, number or title.")] = "",
    pages: Annotated[str, Field(max_length=20, description="Such as `12-30`, counted from 1.")] = "",
    inside: Inside = "",
    focus: Annotated[str, Field(max_length=500, description="Such as `the risks`.")] = "",
    language: Language = "",
) -> ToolResult:
    """Sum up a document of any length, or a section or pages of it."""
    place = await place_of(ctx, fileId, inside)
    selection = _wish(await _structure(ctx, place), section, pages)
    digest = await ctx.use(Digests).summary(ctx, ctx.principal, place, selection, DigestRequest(focus, language))
    sources = [_source(place, part) for part in digest.parts]
    lines = [] if len(digest.parts) == 1 else [unmarked(f"## {place.name}"), unmarked(digest.text)]
    for part, source in zip(digest.parts, sources, strict=True):
        sampled = " (only the beginnings of its sections)" if part.sampled else ""
        said = unmarked(part.text) or f"[missing: {part.problem}]"
        lines += [f"### {unmarked(part.label or place.name)} {citation([source.mark])}{sampled}", said]
    lines += [f"[{note}]" for note in digest.notes]
    return ToolResult(message="\n\n".join(filter(None, lines)), sources=sources)


@tool("analyzeContent", effect="read", sets={"core"}, untrusted=True, seconds=SECONDS, needs="files", rare=True)
async def analyze_content(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    question: Annotated[str, Field(min_length=1, max_length=2_000)],
    page: Page | None = None,
    location: Annotated[str, Field(min_length=1, max_length=500)] | None = None,
    inside: Inside = "",
    language: Language = "",
) -> ToolResult:
    """Ask a question about one element of a file: what is to be seen on a picture, a chart or a `page` (counted from 1), or
    what a text says. `location` is as an earlier result named it, such as `page:5/region:top/image:1`, or a section such as
    `section:s1.2`; nothing said means the picture, or the text, that the file is."""
    place = await place_of(ctx, fileId, inside)
    if page is not None and location is not None:
        raise InvalidInput("Say a page or a location, and not both.")
    element = _element(await _structure(ctx, place), page, location)
    found = await ctx.use(Analyses).ask(ctx, ctx.principal, place, element, question, language)
    at = f"page {page}" if page is not None else location or ""
    source = Source(
        mark=mark_of(place.file.id, place.inside, "element", at),
        place=place_of_selection(element.selection, place.container_path, recognised=found.how == "recognised"),
        opens=_opening(place, element),
    )
    named = " of ".join(filter(None, [at, place.container_path]))[:LONGEST_LABEL]
    head = f"{unmarked(named)} {citation([source.mark])}"
    return ToolResult(message="\n\n".join(filter(None, [head, unmarked(found.text), HOW[found.how]])), sources=[source])


async def _structure(ctx: ToolContext, place: StoredDocument) -> Structure:
    """Raises the DocumentError that says why there is none."""
    if is_container(place.key.media_type):
        raise InvalidInput(
            f"{place.name} is an archive. Say which file in it: browseContainer lists them.", field="inside"
        )
    return await ctx.use(DocumentReader).structure(ctx.principal, place)


def _wish(structure: Structure, section: str, pages: str) -> PartSelection:
    if section.strip() and pages.strip():
        raise InvalidInput("Say a section or pages, and not both.")
    if section.strip():
        return PartSelection(sections=(section_named(structure, section),))
    if not pages.strip():
        return PartSelection()
    if not (found := PAGES.fullmatch(pages.strip())):
        raise InvalidInput("Pages are said as `12-30`, or as one number.", field="pages")
    first, last = int(found[1]), int(found[2] or found[1])
    count = structure.pages or len(structure.slides)
    if not 1 <= first <= last or (count and first > count):
        raise InvalidInput(f"There are {count} pages; say some of them, from the first to the last.", field="pages")
    numbers = tuple(range(first, min(last, count or last) + 1))
    return PartSelection(slides=numbers) if structure.slides and not structure.pages else PartSelection(pages=numbers)


def _element(structure: Structure, page: int | None, location: str | None) -> AnalysedElement:
    if page is not None:
        return AnalysedElement(numbered(structure, page), page)
    if location is None:
        return AnalysedElement(PartSelection())
    kind, _, name = location.partition(":")
    if kind == "section" and "/" not in name:
        return AnalysedElement(PartSelection(sections=(section_named(structure, name),)), None, location)
    return AnalysedElement(part_at(structure, location), None, location)


def _opening(place: StoredDocument, element: AnalysedElement) -> OpenFile:
    """Where it stands; the file itself, if that was asked about."""
    selection = element.selection
    return OpenFile(
        file_id=place.file.id,
        inside=place.inside or None,
        page=next(iter(selection.pages), None),
        slide=next(iter(selection.slides), None),
        sheet=next(iter(selection.sheets), None),
        section=next(iter(selection.sections), None),
    )


def _source(place: StoredDocument, part: PartDigest) -> Source:
    opens = OpenFile.model_validate({"file_id": place.file.id, "inside": place.inside or None, **part.opens})
    # What it opens is part of it: two sections may both have a nameless "part 1 of 2".
    mark = mark_of(place.file.id, place.inside, "digest", part.label, sorted(part.opens.items()))
    return Source(mark=mark, place=part.place.within(place.container_path), opens=opens)
