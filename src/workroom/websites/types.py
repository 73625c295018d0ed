"""Values of reading a website: what may be spent on it, what was read, what was not, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

MOST_PAGES = 30
LONGEST_ADDRESS = 2_000  # of a page: it becomes the description of its file
Limit = Literal["pages", "bytes", "time"]
Report = Callable[[int, str], None]  # the number of the page that is read now, and its address


@dataclass(frozen=True)
class CrawlLimits:
    """What one website may cost. A page that is longer is read up to there."""

    page_bytes: int = 2_000_000
    all_bytes: int = 20_000_000
    page_seconds: float = 20.0
    all_seconds: float = 90.0
    redirects: int = 5
    longest_delay: float = 5.0  # seconds between pages, whatever robots.txt asks for


@dataclass(frozen=True)
class ReadPage:
    """`text` is Markdown. `cut`: there was more of it."""

    url: str
    title: str
    text: str
    read_at: datetime
    cut: bool = False

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True)
class SkippedPage:
    url: str
    reason: str


@dataclass(frozen=True)
class ReadSite:
    """`url` is where the first address led to; `limit` what ended the reading while pages were left."""

    url: str
    host: str
    title: str
    pages: tuple[ReadPage, ...]
    skipped: tuple[SkippedPage, ...] = field(default=())
    limit: Limit | None = None
