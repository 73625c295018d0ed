"""Tavily: a search service for agents, paid by the search."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.net import GuardedClient
from workroom.websearch.errors import as_search_failures, require_answer
from workroom.websearch.results import results_of
from workroom.websearch.types import MOST_RESULTS, WebResult

NAME = "Tavily"
URL = "https://api.tavily.com"
SECONDS = 20.0
MAX_BYTES = 2_000_000


class TavilySearch:
    def __init__(self, client: GuardedClient, url: str, key: str) -> None:
        self._client, self._url, self._key = client, url.rstrip("/"), key

    async def search(self, query: str, site: str | None = None) -> Sequence[WebResult]:
        body = {
            "query": query,
            "search_depth": "basic",
            "max_results": MOST_RESULTS,
            "include_answer": False,
            **({"include_domains": [site]} if site else {}),
        }
        headers = {"Authorization": f"Bearer {self._key}"}
        with as_search_failures(NAME):
            response = await self._client.request(
                "POST", f"{self._url}/search", headers=headers, json=body, timeout=SECONDS, max_bytes=MAX_BYTES
            )
            require_answer(response, NAME)
            return results_of(response.json(), NAME, date="published_date")
