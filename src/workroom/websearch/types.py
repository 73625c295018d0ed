"""Values of searching the web: the service that is set up, a question, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from workroom.core.wire import Wire
from workroom.net.urls import Origin

LONGEST_QUERY = 400
LONGEST_SITE = 200
MOST_RESULTS = 10  # kept of one search, however few were asked for


class SearchProvider(StrEnum):
    TAVILY = "tavily"
    SEARXNG = "searxng"


DEFAULT_PRICES = {
    SearchProvider.TAVILY: Decimal("0.0064"),  # 0.008 dollars, at the rate the product ships with
    SearchProvider.SEARXNG: Decimal(0),
}


class WebResult(Wire):
    """`date` is when the page was published, as the service says it; empty where it does not."""

    title: str
    url: str
    excerpt: str
    date: str = ""


@dataclass(frozen=True)
class SearchSettings:
    """`base_url` is that of a SearXNG instance. `environment`: it comes from the settings of the process. `readable` false: the
    key is there, but our secret does not open it."""

    provider: SearchProvider
    base_url: str | None = None
    private: bool = False
    price_chf: Decimal = Decimal(0)
    has_key: bool = False
    key_hint: str = ""
    environment: bool = False
    readable: bool = True


@dataclass(frozen=True)
class SearchConnection:
    """A service one can ask: where it is, its key, and which address inside the own network its client may open."""

    settings: SearchSettings
    url: str
    key: str = field(default="", repr=False)
    allowed_private: frozenset[Origin] = frozenset()
    forbidden: bool = False  # in the operator's network, which is not this administrator's to open

    @property
    def usable(self) -> bool:
        return self.settings.readable and not self.forbidden


@dataclass(frozen=True)
class SearchTest:
    """What one question brought."""

    results: Sequence[WebResult]
    milliseconds: int
