"""The port of web search: what every service for it can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.websearch.types import WebResult


class WebSearch(Protocol):
    async def search(self, query: str, site: str | None = None) -> Sequence[WebResult]:
        """Pages about the query, best first, at most `MOST_RESULTS`; of one website if `site` names it. Raises SearchFailed."""
        ...
