"""The SearchServer of the Swiss geoportal (api3.geo.admin.ch), or of a service with the same API.

Its traps: without `sr` it answers in the old coordinates; its `x` is the northing and its `y` the easting; labels are HTML.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal
from urllib.parse import urlencode

from workroom.geo.json_response import UnreadableResponse, parse_json
from workroom.geo.service_client import ServiceClient, request_refused, response_unreadable

SETTING = "WORKROOM_GEO_SEARCH_URL"
PATH = "/rest/services/ech/SearchServer"
LONGEST_QUERY = 200
LIMIT = 20
SPOKEN = frozenset({"de", "fr", "it", "en", "rm"})


class SearchServer:
    def __init__(self, client: ServiceClient, base: str) -> None:
        self._client = client
        base = base.rstrip("/")
        self._url = base if base.endswith("/SearchServer") else base + PATH

    async def search(
        self, text: str, kind: Literal["locations", "layers"], language: str, **more: str
    ) -> list[dict[str, Any]]:
        """`attrs` of every result, with the result's own `id` where they have none."""
        parameters = {
            "searchText": text[:LONGEST_QUERY],
            "type": kind,
            "sr": "2056",
            "lang": language if language in SPOKEN else "en",
            "limit": str(LIMIT),
            **more,
        }
        answer = await self._client.get(f"{self._url}?{urlencode(parameters)}", "application/json")
        if not answer.ok:
            raise request_refused(self._url, answer.status, SETTING)
        if not answer.body:
            return []
        try:
            return self._attributes(await asyncio.to_thread(parse_json, answer.body))
        except UnreadableResponse:
            raise response_unreadable(self._url) from None

    def _attributes(self, tree: Any) -> list[dict[str, Any]]:
        results = tree.get("results") if isinstance(tree, dict) else None
        if not isinstance(results, list):
            raise UnreadableResponse
        attributes = []
        for result in results[:LIMIT]:
            attrs = result.get("attrs") if isinstance(result, dict) else None
            if isinstance(attrs, dict):
                attributes.append({"id": result.get("id"), **attrs})
        return attributes
