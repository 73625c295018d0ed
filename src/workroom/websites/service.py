"""Websites as the rest of the product uses them: read some pages of one."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from workroom.documents.web_page import WebPage
from workroom.documents.workers.parsers import Parsers
from workroom.net import GuardedClient
from workroom.websites.addresses import first_address
from workroom.websites.crawl import Crawl, Pause
from workroom.websites.fetcher import Fetched, Fetcher
from workroom.websites.types import MOST_PAGES, CrawlLimits, ReadSite, Report


class Websites:
    """Pages are parsed in the processes that read documents: what is on them is as hostile as any file."""

    def __init__(
        self,
        client: GuardedClient,
        parsers: Parsers,
        scratch: Path,
        limits: CrawlLimits | None = None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._client, self._parsers, self._scratch = client, parsers, scratch
        self._limits, self._pause = limits or CrawlLimits(), pause

    async def read(self, address: str, most_pages: int, report: Report, *, lane: str = "") -> ReadSite:
        """The page at that address and others of its website. `lane` is the unit of fairness, for example a user."""
        start = first_address(address)
        with await asyncio.to_thread(self._folder) as folder:

            async def parse(fetched: Fetched) -> WebPage:
                path = Path(folder) / "page.html"
                await asyncio.to_thread(path.write_bytes, fetched.body)
                return await self._parsers.web_page(path, str(fetched.url), fetched.charset, lane=lane)

            crawl = Crawl(Fetcher(self._client, self._limits.redirects), self._limits, parse, report, self._pause)
            return await crawl.run(start, min(max(most_pages, 1), MOST_PAGES))

    async def aclose(self) -> None:
        await self._client.aclose()

    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        self._scratch.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(dir=self._scratch, prefix="website-")
