"""SearXNG: a search engine of one's own that asks others."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from workroom.net import GuardedClient
from workroom.websearch.errors import as_search_failures, no_json, require_answer
from workroom.websearch.results import results_of
from workroom.websearch.types import WebResult

NAME = "SearXNG"
SECONDS = 20.0
MAX_BYTES = 5_000_000
FORMAT_FORBIDDEN = 403


class SearxngSearch:
    def __init__(self, client: GuardedClient, url: str) -> None:
        self._client, self._url = client, url.rstrip("/")

    async def search(self, query: str, site: str | None = None) -> Sequence[WebResult]:
        asked = urlencode({"q": f"{query} site:{site}" if site else query, "format": "json"})
        headers = {"Accept": "application/json"}
        with as_search_failures(NAME):
            response = await self._client.request(
                "GET", f"{self._url}/search?{asked}", headers=headers, timeout=SECONDS, max_bytes=MAX_BYTES
            )
            if response.status == FORMAT_FORBIDDEN:  # it has no keys: this is its word for a format that is not allowed
                raise no_json(NAME)
            require_answer(response, NAME)
            return results_of(response.json(), NAME, date="publishedDate")
