"""One reading of one website: its first page, then what its sitemap names, then what its pages link to, nearest first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from workroom.core.clock import now
from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.documents.errors import DocumentError
from workroom.documents.web_page import WebPage
from workroom.net.errors import HostUnknown, OutgoingFailed, TlsFailed
from workroom.net.urls import CheckedUrl, Origin, parse_url
from workroom.websites import robots as robots_txt
from workroom.websites import sitemaps
from workroom.websites.addresses import Site, folder_of
from workroom.websites.errors import PageNotRead, RedirectLoop
from workroom.websites.fetcher import Fetched, Fetcher
from workroom.websites.robots import Robots, parse_robots
from workroom.websites.sitemaps import parse_sitemap
from workroom.websites.types import (
    LONGEST_ADDRESS,
    MOST_PAGES,
    CrawlLimits,
    Limit,
    ReadPage,
    ReadSite,
    Report,
    SkippedPage,
)

HTML = frozenset({"text/html", "application/xhtml+xml", ""})
MOST_SKIPPED = 50
MOST_TRIES = 3  # addresses tried for every page that is wanted
NEEDS_SCRIPT = "It shows its content by JavaScript only, which is not run here; there is nearly no text to read."
EMPTY = "There is no text on it."
NOT_FOUND = frozenset({404, 410})
NO_ENTRY = frozenset({401, 403})
TOO_BUSY = frozenset({429, 503})

Parse = Callable[[Fetched], Awaitable[WebPage]]
Pause = Callable[[float], Awaitable[None]]


@dataclass
class Crawl:
    """Used once. `parse` reads a page off the event loop."""

    fetcher: Fetcher
    limits: CrawlLimits
    parse: Parse
    report: Report
    pause: Pause
    _robots: dict[Origin, Robots] = field(default_factory=dict)
    _site: Site | None = None
    _seen: set[str] = field(default_factory=set)
    _pages: list[ReadPage] = field(default_factory=list)
    _skipped: list[SkippedPage] = field(default_factory=list)
    _queue: deque[CheckedUrl] = field(default_factory=deque)
    _bytes: int = 0
    _ends: float = 0.0

    async def run(self, start: CheckedUrl, most_pages: int) -> ReadSite:
        """Raises what keeps the first page from being fetched; later pages are skipped, with the reason."""
        self._ends = asyncio.get_running_loop().time() + self.limits.all_seconds
        self.report(1, str(start))
        first = await self._fetched(start)
        self._site = Site(first.url.origin)
        self._seen |= {str(start)}
        links = await self._take(first)
        self._add(await self._listed(first.url))
        self._add(links)
        limit = await self._follow(most_pages)
        if not self._pages:
            raise PageNotRead(f"Nothing could be read at {first.url.origin}. {self._skipped[0].reason}")
        title = self._pages[0].title or self._site.name
        return ReadSite(str(first.url), self._site.name, title, tuple(self._pages), tuple(self._skipped), limit)

    async def _follow(self, most_pages: int) -> Limit | None:
        tries = MOST_TRIES * most_pages
        while self._queue:
            if len(self._pages) >= most_pages or not tries:
                return "pages"
            if self._bytes >= self.limits.all_bytes:
                return "bytes"
            if self._time_left() <= 0:
                return "time"
            tries -= 1
            url = self._queue.popleft()
            self.report(len(self._pages) + 1, str(url))
            try:
                await self._wait(url.origin)
                self._add(await self._take(await self._fetched(url)))
            except (OutgoingFailed, OutgoingRefused) as failed:
                self._skip(url, failed)
        return None

    async def _take(self, fetched: Fetched) -> list[str]:
        """Keep the page if there is something to read on it; its links."""
        address = str(fetched.url)
        if address in self._seen and any(page.url == address for page in self._pages):
            return []  # another address led to it already
        self._seen.add(address)
        self._bytes += len(fetched.body)
        try:
            page = await self._read(fetched)
        except (PageNotRead, DocumentError) as failed:
            self._skip(fetched.url, failed)
            return []
        if page.needs_script:
            self._skip(fetched.url, PageNotRead(NEEDS_SCRIPT))
        elif not page.text.strip():
            self._skip(fetched.url, PageNotRead(EMPTY))
        else:
            self._pages.append(ReadPage(address, page.title, page.text, now(), page.cut or fetched.cut))
        return page.links

    async def _read(self, fetched: Fetched) -> WebPage:
        if fetched.status >= 400:
            raise PageNotRead(_refusal(fetched.status))
        if fetched.media_type not in HTML:
            raise PageNotRead(f"It is not a web page but a file of the kind {fetched.media_type}.")
        return await self.parse(fetched)

    async def _fetched(self, url: CheckedUrl) -> Fetched:
        return await self.fetcher.fetch(
            url,
            max_bytes=min(self.limits.page_bytes, self.limits.all_bytes - self._bytes),
            seconds=max(1.0, min(self.limits.page_seconds, self._time_left())),
            permit=self._permit,
            wanted=HTML.__contains__,
        )

    async def _permit(self, url: CheckedUrl) -> None:
        """The first page decides which site it is, wherever it redirects to; later ones stay on it."""
        if len(str(url)) > LONGEST_ADDRESS:
            raise PageNotRead(f"Its address has more than {LONGEST_ADDRESS:,} characters.")
        if self._site is not None and self._site.page(str(url)) is None:
            raise PageNotRead(f"It leads to another website, {url.origin}.")
        if not (await self._rules(url.origin)).allows(url.target):
            raise PageNotRead(f"The robots.txt of {url.origin} does not let programs such as Workroom read this page.")

    async def _rules(self, origin: Origin) -> Robots:
        if origin not in self._robots:
            self._robots[origin] = await self._fetched_rules(origin)
        return self._robots[origin]

    async def _fetched_rules(self, origin: Origin) -> Robots:
        """RFC 9309: one that does not exist allows everything, one that cannot be reached nothing."""
        try:
            fetched = await self.fetcher.fetch(
                parse_url(f"{origin}/robots.txt"),
                max_bytes=robots_txt.MAX_BYTES,
                seconds=self.limits.page_seconds,
            )
        except RedirectLoop:
            return Robots()
        except (HostUnknown, TlsFailed):
            raise  # says it best by itself
        except OutgoingFailed as failed:
            raise PageNotRead(
                f"{failed.message} As long as its robots.txt cannot be read, its pages are not read either."
            ) from None
        if fetched.status >= 500:
            raise PageNotRead(
                f"{origin} answers with status {fetched.status} when asked for its robots.txt. As long as that cannot be read,"
                " its pages are not read either. Try again later."
            )
        if fetched.status >= 300:
            return Robots()
        return await asyncio.to_thread(parse_robots, fetched.body.decode("utf-8", "replace"))

    async def _listed(self, start: CheckedUrl) -> list[str]:
        """Pages of the site's sitemaps; those below the first address come first."""
        pending = deque((await self._rules(start.origin)).sitemaps or [f"{start.origin}/sitemap.xml"])
        found: dict[str, None] = {}
        for _ in range(sitemaps.MOST_SITEMAPS):
            if not pending or self._time_left() <= 0:
                break
            address = pending.popleft()
            if self._site is None or not self._site.has(address):
                continue  # a site could name any other
            listed = await self._sitemap(address)
            pending.extend(listed.sitemaps)
            found |= dict.fromkeys(listed.pages)
        below = f"{start.origin}{folder_of(start)}"
        return sorted(found, key=lambda address: not address.startswith(below))[: MOST_TRIES * MOST_PAGES]

    async def _sitemap(self, address: str) -> sitemaps.Sitemap:
        try:
            fetched = await self.fetcher.fetch(
                parse_url(address), max_bytes=sitemaps.MAX_BYTES, seconds=self.limits.page_seconds
            )
        except WorkroomError:  # a help for finding pages, nothing more
            return sitemaps.Sitemap()
        return await asyncio.to_thread(parse_sitemap, fetched.body) if fetched.status < 300 else sitemaps.Sitemap()

    def _add(self, addresses: list[str]) -> None:
        assert self._site is not None
        for address in addresses:
            url = self._site.page(address)
            if url is not None and str(url) not in self._seen:
                self._seen.add(str(url))
                self._queue.append(url)

    def _skip(self, url: CheckedUrl, failed: WorkroomError) -> None:
        if len(self._skipped) < MOST_SKIPPED and all(known.url != str(url) for known in self._skipped):
            self._skipped.append(SkippedPage(str(url), failed.message))

    async def _wait(self, origin: Origin) -> None:
        if delay := min((await self._rules(origin)).delay, self.limits.longest_delay, max(0.0, self._time_left())):
            await self.pause(delay)

    def _time_left(self) -> float:
        return self._ends - asyncio.get_running_loop().time()


def _refusal(status: int) -> str:
    if status in NOT_FOUND:
        return "There is no such page."
    if status in NO_ENTRY:
        return f"The website does not let us in (status {status}): the page may be for people who sign in."
    if status in TOO_BUSY:
        return f"The website takes no more requests at the moment (status {status}). Try again later."
    return f"The website answers with status {status}."
