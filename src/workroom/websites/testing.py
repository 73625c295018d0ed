"""A website without an internet: the same pages at every address."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.clock import now
from workroom.net.hosts import host_text
from workroom.websites.addresses import first_address
from workroom.websites.service import Websites
from workroom.websites.types import Limit, ReadPage, ReadSite, Report


class InMemoryWebsites(Websites):
    def __init__(self, pages: Sequence[tuple[str, str]] = (("Start", "Welcome."),)) -> None:
        """Titles and texts of pages; the first is the one that is asked for."""
        self._texts = pages

    async def read(self, address: str, most_pages: int, report: Report, *, lane: str = "") -> ReadSite:
        start = first_address(address)
        found: list[ReadPage] = []
        for number, (title, text) in enumerate(self._texts[:most_pages], 1):
            url = str(start) if number == 1 else f"{start.origin}/{number}"
            report(number, url)
            found.append(ReadPage(url, title, text, now()))
        limit: Limit | None = "pages" if len(self._texts) > most_pages else None
        return ReadSite(str(start), host_text(start.origin.host), found[0].title, tuple(found), limit=limit)

    async def aclose(self) -> None:
        pass
