"""Who is next: first come, first served within a lane, and lanes in turn.

A lane is whoever must not make others wait: a person, a mandate. Two hundred files of one do not stand before the one page of
another.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, lane: str = "") -> AsyncIterator[None]:
        await self._get(lane)
        try:
            yield
        finally:
            self._pass_on()

    def fail(self, error: Exception) -> None:
        """Everybody who waits hears why it is in vain."""
        for lane in self._waiting.values():
            for place in lane:
                if not place.done():
                    place.set_exception(error)
        self._waiting.clear()

    async def _get(self, lane: str) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(lane, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._pass_on()  # it was given and cancelled in the same moment
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            lane, places = self._waiting.popitem(last=False)
            place = places.popleft()
            if places:
                self._waiting[lane] = places  # to the end: the other lanes come first now
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
