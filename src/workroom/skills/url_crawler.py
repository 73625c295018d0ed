"""Reads a website and keeps its pages as files, which can be searched and cited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.actions import OpenFile
from workroom.core.places import file_place
from workroom.core.results import MadeFile, ToolResult
from workroom.core.sources import Source, citation, mark_of, unmarked
from workroom.core.widgets import Widget
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.files.ports import Blob
from workroom.files.service import Files
from workroom.files.tree import ensure_path
from workroom.files.types import File, NewFile, OnConflict
from workroom.websites.page_files import file_name, folder_path, markdown
from workroom.websites.service import Websites
from workroom.websites.types import LONGEST_ADDRESS, MOST_PAGES, ReadPage, ReadSite

ROOM = 15_000  # characters of pages in the result
SECONDS = 150.0
MEDIA_TYPE = "text/markdown"
LIMITS = {
    "pages": "There are more pages; a higher maxPages reads more of them.",
    "bytes": "There are more pages, but as much as is read at once has been read.",
    "time": "There are more pages, but the time for reading was over.",
}

Address = Annotated[str, Field(min_length=1, max_length=LONGEST_ADDRESS)]
Count = Annotated[int, Field(ge=1, le=MOST_PAGES)]


class CrawledPage(Wire):
    url: str
    title: str
    file_id: UUID
    words: int


class NotCrawled(Wire):
    url: str
    reason: str


class CrawledSite(Widget):
    """What the widget shows. `limit` ended the reading while pages were left."""

    url: str
    title: str
    pages: list[CrawledPage]
    skipped: list[NotCrawled]
    limit: Literal["pages", "bytes", "time"] | None = None


async def _ask_to_read(ctx: ToolContext, url: Address, maxPages: Count = 8) -> ConfirmPrompt:  # noqa: N803
    return ConfirmPrompt(f"Read the website “{url[:200]}” and keep its pages as files?", url[:200])


@tool(
    "skill_url_crawler",
    effect="ours",  # what it does elsewhere is reading; what it changes are our files
    sets={"skills", "chatbot", "chatbotWeb", "playground"},
    untrusted=True,
    seconds=SECONDS,
    confirm_untrusted=_ask_to_read,
    opens_addresses=True,
)
async def skill_url_crawler(ctx: ToolContext, url: Address, maxPages: Count = 8) -> ToolResult:  # noqa: N803
    """Read a website, from this address on, and keep its pages as files of this workspace. Pages come with marks to cite them
    by."""
    files = ctx.use(Files)
    await files.require_storing(ctx.principal, ctx.instance_id)

    def report(number: int, address: str) -> None:
        ctx.report_progress(f"Reading page {number}: {address[:200]}")

    site = await ctx.use(Websites).read(url, maxPages, report, lane=str(ctx.principal.user_id))
    texts = [markdown(page).encode() for page in site.pages]
    await files.require_storing(ctx.principal, ctx.instance_id, size=sum(map(len, texts)))
    blobs = [await files.put(ctx.principal, _chunks(text)) for text in texts]

    async def effect(uow: UnitOfWork) -> ToolResult:
        return _result(site, await _stored(ctx, uow, site, blobs))

    return await ctx.commit(effect)


async def _stored(ctx: ToolContext, uow: UnitOfWork, site: ReadSite, blobs: list[Blob]) -> list[File]:
    """A page that was read before becomes a new version of its file, wherever that is by now."""
    files, principal, instance_id = ctx.use(Files), ctx.principal, ctx.instance_id
    folder_id = await ensure_path(uow, principal, instance_id, folder_path(site.host))
    known = await files.described(uow, principal, instance_id, [page.url for page in site.pages])
    stored = []
    for page, blob in zip(site.pages, blobs, strict=True):
        if (before := known.get(page.url)) is not None:
            file = await files.add_version(uow, principal, before.id, blob, MEDIA_TYPE)
        else:
            new = NewFile(file_name(page), folder_id, MEDIA_TYPE, OnConflict.RENAME, description=page.url)
            file = await files.record(uow, principal, instance_id, new, blob)
        stored.append(file)
    return stored


def _result(site: ReadSite, stored: list[File]) -> ToolResult:
    sources = [
        Source(mark=mark_of(file.id), place=file_place(file.name), opens=OpenFile(file_id=file.id)) for file in stored
    ]
    room = ROOM // len(site.pages)
    told = [_told(page, file, source, room) for page, file, source in zip(site.pages, stored, sources, strict=True)]
    notes = [LIMITS[site.limit]] if site.limit else []
    notes += [f"Not read: {unmarked(one.url)} ({one.reason})" for one in site.skipped[:5]]
    payload = CrawledSite(
        url=site.url,
        title=site.title,
        pages=[
            CrawledPage(url=page.url, title=page.title or file.name, file_id=file.id, words=page.words)
            for page, file in zip(site.pages, stored, strict=True)
        ],
        skipped=[NotCrawled(url=one.url, reason=one.reason) for one in site.skipped],
        limit=site.limit,
    )
    return ToolResult(
        message="\n\n".join([*told, *notes]),
        actions=[payload.action()],
        files=[MadeFile(file_id=file.id, name=file.name, version=file.version) for file in stored],
        sources=sources,
    )


def _told(page: ReadPage, file: File, source: Source, room: int) -> str:
    text = unmarked(page.text)
    more = f"\n[it goes on: readFile, fileId {file.id}]" if len(text) > room else ""
    return f"[{unmarked(source.label)}] {citation([source.mark])}\n{text[:room]}{more}"


async def _chunks(text: bytes) -> AsyncIterator[bytes]:
    yield text
