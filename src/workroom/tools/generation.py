"""Finished documents: made of Markdown, or of another file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.contents.types import StoredDocument
from workroom.core.errors import InvalidInput
from workroom.core.languages import Language
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.documents.writers.files import document_of
from workroom.documents.writers.manuscript import pictures_named, report_of
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat, Report
from workroom.files.finder import Finder, unquoted
from workroom.files.service import Files
from workroom.files.tree import ensure_path
from workroom.files.types import NewFile
from workroom.runs.call_agents import calling_agent
from workroom.tools.shared.document_sources import TEMPLATES, pictures_of, source_text, template_named
from workroom.tools.shared.file_arguments import FileName, Inside, made, place_of
from workroom.tools.shared.file_storage import FolderPath, ask_to_store

LONGEST = 2_000_000  # characters of Markdown
MAKING_SECONDS = 150.0
TITLED = (DocumentFormat.PPTX,)  # slides have no other place for a title than one of their own
SHOW_PICTURES = (DocumentFormat.DOCX, DocumentFormat.PDF, DocumentFormat.PPTX, DocumentFormat.HTML)
FORMATS = ", ".join(f".{format}" for format in DocumentFormat)

Name = Annotated[str, Field(min_length=1, max_length=255, description=f"Its ending is the format: {FORMATS}.")]
Markdown = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST,
        description="Also footnotes, `[TOC]`, `\\pagebreak`, `Table: caption`, `![caption](file of the workspace)`.",
    ),
]
Title = Annotated[str, Field(max_length=300)]
NewName = Annotated[str, Field(max_length=255)]
Template = Annotated[str, Field(max_length=1_000, description="A .docx or .pptx file whose look it takes.")]


@dataclass(frozen=True)
class _Target:
    """The folder a document goes to, as a path, and the file it becomes there."""

    path: str
    file: NewFile
    format: DocumentFormat


async def _ask_to_generate(
    ctx: ToolContext,
    name: Name,
    markdown: Markdown,
    folder: FolderPath = "",
    title: Title = "",
    subtitle: Title = "",
    titlePage: bool = False,  # noqa: N803 -- the model's spelling
    template: Template = "",
    language: Language | None = None,
) -> ConfirmPrompt | None:
    target = _target(name, folder)
    return await ask_to_store(ctx, target.path, target.file)


@tool("generateDocument", effect="ours", confirm_untrusted=_ask_to_generate, seconds=MAKING_SECONDS, rare=True)
async def generate_document(
    ctx: ToolContext,
    name: Name,
    markdown: Markdown,
    folder: FolderPath = "",
    title: Title = "",
    subtitle: Title = "",
    titlePage: bool = False,  # noqa: N803
    template: Template = "",
    language: Language | None = None,
) -> ToolResult:
    """Make a finished document of Markdown: a report, letter, slides, workbook or page to send to others. A file of that
    name gets a new version."""
    target = _target(name, folder)
    await ctx.use(Files).require_storing(ctx.principal, ctx.instance_id)  # before the work
    report = await asyncio.to_thread(
        report_of,
        markdown,
        title=title,
        lines=[line.strip() for line in subtitle.splitlines() if line.strip()],
        language=language or ctx.language,
        has_title_page=titlePage or target.format in TITLED,
    )
    look = await _template(ctx, template, target.format)
    pictures = await pictures_of(ctx, markdown)
    report = report.model_copy(update={"pictures": pictures, "template": look})
    return await _store(ctx, target, report, await _missing(markdown, pictures))


async def _ask_to_convert(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    format: DocumentFormat,
    name: NewName = "",
    folder: FolderPath | None = None,
    inside: Inside = "",
    template: Template = "",
) -> ConfirmPrompt | None:
    target = await _converted_target(ctx, await place_of(ctx, fileId, inside), format, name, folder)
    return await ask_to_store(ctx, target.path, target.file)


@tool(
    "convertDocument",
    effect="ours",
    confirm_untrusted=_ask_to_convert,
    seconds=MAKING_SECONDS,
    sets={"core"},
    needs="files",
    rare=True,
)
async def convert_document(
    ctx: ToolContext,
    fileId: FileName,  # noqa: N803
    format: DocumentFormat,
    name: NewName = "",
    folder: FolderPath | None = None,
    inside: Inside = "",
    template: Template = "",
) -> ToolResult:
    """Make a file of another format of a file: headings, lists, tables and pictures are taken over, its look is not."""
    place = await place_of(ctx, fileId, inside)
    await ctx.use(Files).require_storing(ctx.principal, ctx.instance_id)
    target = await _converted_target(ctx, place, format, name, folder)
    look = await _template(ctx, template, format)
    source = await source_text(ctx, place, with_pictures=format in SHOW_PICTURES)
    report = await asyncio.to_thread(
        report_of, source.text, title="", lines=[], language=ctx.language, has_title_page=format in TITLED
    )
    report = report.model_copy(update={"pictures": source.pictures, "template": look})
    return await _store(ctx, target, report, source.notes)


async def _converted_target(
    ctx: ToolContext, place: StoredDocument, format: DocumentFormat, name: str, folder: str | None
) -> _Target:
    """Beside what it is made of, unless another folder is named."""
    if folder is None and not place.inside:
        tree = await ctx.use(Finder).tree(ctx.principal, ctx.instance_id)
        folder = tree.path_of(place.file).rpartition("/")[0]
    target = _target(name or f"{place.name.rpartition('.')[0] or place.name}.{format}", folder or "")
    if target.format is not format:
        raise InvalidInput(
            f"The name ends in .{target.format}, but the format is {format}. Say one of them.", field="name"
        )
    return target


async def _store(ctx: ToolContext, target: _Target, report: Report, notes: list[str]) -> ToolResult:
    files = ctx.use(Files)
    content = await document_of(report, target.format)
    await files.require_storing(ctx.principal, ctx.instance_id, size=len(content))
    blob = await files.put(ctx.principal, _chunks(content))

    async def effect(uow: UnitOfWork) -> ToolResult:
        folder_id = await ensure_path(uow, ctx.principal, ctx.instance_id, target.path)
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        new = NewFile(target.file.name, folder_id, target.file.media_type)
        file = await files.record(uow, ctx.principal, ctx.instance_id, new, blob, agent)
        done = "is made" if file.version == 1 else f"has version {file.version} now"
        message = f"“{file.name}” {done}, {len(content) // 1_000 + 1:,} kB; fileId {file.id}."
        return ToolResult(message="\n".join([message, *notes]), files=[made(file)])

    return await ctx.commit(effect)


def _target(name: str, folder: str) -> _Target:
    above, _, plain_name = name.rpartition("/")
    ending = plain_name.rpartition(".")[2].casefold() if "." in plain_name else ""
    format = next((one for one in DocumentFormat if one == ending), None)
    if format is None:
        raise InvalidInput(
            f"“{plain_name[:100]}” does not say which kind of file. End it with one of: {FORMATS}.", field="name"
        )
    path = "/".join(filter(None, [unquoted(folder), above]))
    return _Target(path, NewFile(plain_name, media_type=MEDIA_TYPES[format]), format)


async def _template(ctx: ToolContext, name: str, format: DocumentFormat) -> bytes | None:
    if not name.strip():
        return None
    if format.value not in TEMPLATES:
        raise InvalidInput(
            "Only .docx and .pptx files take a template. Leave it out, or choose such a name.", field="template"
        )
    return await template_named(ctx, name, format.value)


async def _missing(markdown: str, pictures: Mapping[str, bytes]) -> list[str]:
    named = await asyncio.to_thread(pictures_named, markdown)
    missing = [source for source in named if source not in pictures]
    if not missing:
        return []
    listed = ", ".join(source[:100] for source in missing[:10])
    return [f"Pictures that are no files of this workspace stand as words in it: {listed}."]


async def _chunks(content: bytes) -> AsyncIterator[bytes]:
    yield content
