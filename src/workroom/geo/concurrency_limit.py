"""The door to one service: two go in at a time, a few may wait, and whoever comes then is told to come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from workroom.geo.errors import GeoServiceFailed

AT_ONCE = 2
MOST_WAITING = 20  # for a service that takes its time, the last of them wait longer than anybody looks at a page


class ConcurrencyLimit:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._there = 0  # inside or waiting

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        if self._there >= AT_ONCE + MOST_WAITING:
            raise GeoServiceFailed(
                f"The map service at {self._origin} is busy: too many questions wait for it. Try again in a moment.",
                again=True,
            )
        self._there += 1
        try:
            async with self._slots:
                yield
        finally:
            self._there -= 1
