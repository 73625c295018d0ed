"""Interface to the parsers: every document is parsed in one of a few warm child processes.

A document that is too slow, too large or crashes its parser costs one process; the next job gets a new one. Cancelling a call, or
leaving an `async for` early, ends the process that worked for it; use `contextlib.aclosing` there.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from workroom.core import threaded
from workroom.core.wire import Wire
from workroom.documents.containers.types import ContainerMember, WalkedMember
from workroom.documents.kinds import DetectedKind
from workroom.documents.types import ContentObject, Element, ExtractionScope, Hit, PageText, SourceFile, Structure
from workroom.documents.web_page import WebPage
from workroom.documents.workers.pool import ChildPool
from workroom.documents.workers.serialisation import source_out, wanted_out

V = TypeVar("V", bound=Wire)


class Parsers:
    """`seconds` limits the time in which the child works, not that of a slow consumer. `lane` is the unit of fairness, for
    example a user; see fair_queue.py. Of `processes` at most `warm` stay when there is nothing to do."""

    def __init__(
        self,
        processes: int = 2,
        memory_mb: int = 512,
        seconds: float = 120,
        output_mb: int = 512,
        modules: Sequence[str] = (),
        warm: int | None = None,
    ) -> None:
        self._pool = ChildPool(
            processes=processes,
            warm=processes if warm is None else warm,
            memory_mb=memory_mb,
            seconds=seconds,
            output_mb=output_mb,
            modules=modules,
        )

    @property
    def pids(self) -> list[int]:
        """Process ids of the current children."""
        return self._pool.pids

    async def kind(self, path: Path, name: str, *, lane: str = "") -> DetectedKind:
        return DetectedKind(**json.loads(await self._value({"do": "kind", "path": str(path), "name": name}, lane)))

    async def scan(self, source: SourceFile, *, lane: str = "") -> Structure:
        return await threaded.parsed(Structure, await self._value({"do": "scan", "source": source_out(source)}, lane))

    def extract(
        self, source: SourceFile, wanted: ExtractionScope | None = None, *, lane: str = ""
    ) -> AsyncGenerator[ContentObject, None]:
        request = {"do": "extract", "source": source_out(source), "wanted": wanted_out(wanted or ExtractionScope())}
        return self._values(ContentObject, request, lane)

    async def element(self, source: SourceFile, location: str, *, lane: str = "") -> Element:
        return await self._element({"do": "element", "source": source_out(source), "location": location}, lane)

    async def page_image(self, source: SourceFile, page_index: int, width: int, *, lane: str = "") -> Element:
        request = {"do": "page_image", "source": source_out(source), "page_index": page_index, "width": width}
        return await self._element(request, lane)

    async def page_text(self, source: SourceFile, page_index: int, *, lane: str = "") -> PageText:
        request = {"do": "page_text", "source": source_out(source), "page_index": page_index}
        return await threaded.parsed(PageText, await self._value(request, lane))

    def find(
        self, source: SourceFile, text: str, *, most: int = 200, page_index: int | None = None, lane: str = ""
    ) -> AsyncGenerator[Hit, None]:
        """Hits in document order as they are found, or on one page; stops after `most`."""
        request = {"do": "find", "source": source_out(source), "text": text, "most": most, "page_index": page_index}
        return self._values(Hit, request, lane)

    async def ocr(
        self, source: SourceFile, *, page_index: int | None = None, location: str | None = None, lane: str = ""
    ) -> str:
        """The text in the picture of a page, in a picture at a location, or in the picture that the document itself is."""
        request = {"do": "ocr", "source": source_out(source), "page_index": page_index, "location": location}
        return str(json.loads(await self._value(request, lane)))

    async def picture(
        self, source: SourceFile, *, page_index: int | None = None, location: str | None = None, lane: str = ""
    ) -> Element:
        """A page, a picture at a location or the picture that the document is, small enough for a model to look at."""
        request = {"do": "picture", "source": source_out(source), "page_index": page_index, "location": location}
        return await self._element(request, lane)

    async def web_page(self, path: Path, url: str, charset: str | None, *, lane: str = "") -> WebPage:
        """What can be read on the page that was fetched to `path`; `charset` is what its server says of it."""
        request = {"do": "web_page", "path": str(path), "url": url, "charset": charset}
        return await threaded.parsed(WebPage, await self._value(request, lane))

    def members(self, source: SourceFile, inside: str = "", *, lane: str = "") -> AsyncGenerator[ContainerMember, None]:
        """Members of a container, or of the one at the path `inside`; unpacks only the containers on the way."""
        request = {"do": "members", "source": source_out(source), "inside": inside}
        return self._values(ContainerMember, request, lane)

    async def walk(
        self, source: SourceFile, into: Path | None = None, *, lane: str = ""
    ) -> AsyncGenerator[WalkedMember, None]:
        """Everything in a container and in the containers in it, in one pass. With `into`, every file is unpacked into a
        new folder below it, as it comes; past a limit, or when the caller leaves early, that folder is gone."""
        folder = tempfile.mkdtemp(dir=into) if into else None
        request = {"do": "walk", "source": source_out(source), "into": folder}
        try:
            async with aclosing(self._values(WalkedMember, request, lane)) as members:
                async for walked in members:
                    yield walked
        except BaseException:
            if folder:
                await asyncio.shield(self._remove(Path(folder)))
            raise

    async def take(self, source: SourceFile, inside: str, into: Path, *, lane: str = "") -> Path:
        """The file at `inside` a container, in a new folder below `into`; nothing is there when it fails."""
        folder = Path(tempfile.mkdtemp(dir=into))
        try:
            request = {"do": "take", "source": source_out(source), "inside": inside, "into": str(folder)}
            return Path(json.loads(await self._value(request, lane)))
        except BaseException:
            await asyncio.shield(self._remove(folder))
            raise

    async def close(self) -> None:
        """Ends every child, also those at work."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _values(self, kind: type[V], request: dict[str, Any], lane: str) -> AsyncGenerator[V, None]:
        """One by one, but checked page by page, off the event loop."""
        async with aclosing(self._pool.pages(request, lane)) as pages:
            async for page in pages:
                for value in await threaded.each(kind.model_validate_json, page):
                    yield value

    async def _value(self, request: dict[str, Any], lane: str) -> bytes:
        async with aclosing(self._pool.pages(request, lane)) as pages:
            return b"".join([payload async for page in pages for payload in page])

    async def _element(self, request: dict[str, Any], lane: str) -> Element:
        async with aclosing(self._pool.pages(request, lane)) as pages:
            about, *data = [payload async for page in pages for payload in page]
            return Element(data=b"".join(data), **json.loads(about))

    async def _remove(self, folder: Path) -> None:
        """Remove the folder once no child writes to it."""
        await self._pool.ended()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
