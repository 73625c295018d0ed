"""A search service that finds what it was given, by words of the query, and counts the questions."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from workroom.websearch.types import MOST_RESULTS, WebResult


class InMemoryWebSearch:
    def __init__(self, pages: Sequence[WebResult]) -> None:
        self._pages = pages
        self.asked: list[str] = []

    async def search(self, query: str, site: str | None = None) -> Sequence[WebResult]:
        self.asked.append(query)
        words = query.casefold().split()
        return [page for page in self._pages if _fits(page, words) and _is_of(page, site)][:MOST_RESULTS]


def _fits(page: WebResult, words: Sequence[str]) -> bool:
    text = f"{page.title} {page.excerpt}".casefold()
    return any(word in text for word in words)


def _is_of(page: WebResult, site: str | None) -> bool:
    return site is None or (urlsplit(page.url).hostname or "").endswith(site)
