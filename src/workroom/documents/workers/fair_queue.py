"""Who is next: first come, first served within a lane, and lanes in turn.

A lane is whoever must not make others wait: a person, a mandate. Two hundred files of one do not stand before the one page of
another; and nobody who has a place already gets the last free one, so that whoever comes next finds it.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

Slot = asyncio.Future[None]


class FairQueue:
    """No lane (`""`) is nobody's: it may have every place."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[Slot]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, lane: str = "") -> AsyncIterator[None]:
        await self._get(lane)
        try:
            yield
        finally:
            self._give_back(lane)

    def fail(self, error: Exception) -> None:
        """Everybody who waits hears why it is in vain."""
        for lane in self._waiting.values():
            for place in lane:
                if not place.done():
                    place.set_exception(error)
        self._waiting.clear()

    async def _get(self, lane: str) -> None:
        place: Slot = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(lane, deque()).append(place)
        self._serve()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._give_back(lane)  # it was given and cancelled in the same moment
            raise

    def _give_back(self, lane: str) -> None:
        self._held[lane] -= 1
        self._free += 1
        self._serve()

    def _serve(self) -> None:
        while (lane := self._next()) is not None:
            places = self._waiting.pop(lane)
            place = places.popleft()
            if places:
                self._waiting[lane] = places  # to the end: the other lanes come first now
            if not place.done():
                self._free -= 1
                self._held[lane] += 1
                place.set_result(None)

    def _next(self) -> str | None:
        """The first lane that may have a place now."""
        if not self._free:
            return None
        return next((lane for lane in self._waiting if not lane or self._free > 1 or not self._held[lane]), None)
