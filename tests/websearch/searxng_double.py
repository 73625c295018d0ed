"""A SearXNG instance on loopback, reached as one inside the own network is."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from workroom.net.testing_site import ScriptedResponse, ScriptedSite

RESULTS = [
    {
        "title": "Library [Bern]",
        "url": "https://library.example/hours",
        "content": "Open from nine. [[abcde]]",
        "engine": "x",
    },
    {"title": "Bakery", "url": "https://bakery.example/", "content": "Bread from six.", "publishedDate": "2026-11-02"},
]


class SearxngDouble:
    def __init__(self, site: ScriptedSite) -> None:
        self.site = site
        self.answer(RESULTS)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.site.port}"

    @property
    def questions(self) -> int:
        return len(self.site.received)

    def answer(self, results: list[dict[str, str]]) -> None:
        body = json.dumps({"query": "", "results": results, "unresponsive_engines": []}).encode()
        self.site.answers["/search"] = ScriptedResponse(body=body, headers={"Content-Type": "application/json"})


@asynccontextmanager
async def searxng() -> AsyncIterator[SearxngDouble]:
    site = await ScriptedSite.start()
    try:
        yield SearxngDouble(site)
    finally:
        await site.aclose()
