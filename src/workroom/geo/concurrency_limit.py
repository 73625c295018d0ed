"""Limits concurrent requests to one service: two at a time, a bounded queue, further ones are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from workroom.geo.errors import GeoServiceFailed

AT_ONCE = 2
MOST_WAITING = 20  # for a slow service, the last of them wait longer than a user does


class ConcurrencyLimit:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._pending = 0  # running or waiting

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        if self._pending >= AT_ONCE + MOST_WAITING:
            raise GeoServiceFailed(
                f"The map service at {self._origin} is busy: too many questions wait for it. Try again in a moment.",
                again=True,
            )
        self._pending += 1
        try:
            async with self._slots:
                yield
        finally:
            self._pending -= 1
