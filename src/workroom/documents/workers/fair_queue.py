"""Fair queue for a number of slots: first come, first served within a lane, and lanes round-robin.

A lane is a unit that must not make others wait: a user, a mandate. Two hundred files of one do not delay the single page of
another; and a lane that holds a slot already does not get the last free one, which stays for the next lane.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

Slot = asyncio.Future[None]


class FairQueue:
    """The empty lane (`""`) is not limited: it may hold every slot."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._in_use: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[Slot]] = OrderedDict()

    @asynccontextmanager
    async def acquire(self, lane: str = "") -> AsyncIterator[None]:
        await self._wait(lane)
        try:
            yield
        finally:
            self._release(lane)

    def fail(self, error: Exception) -> None:
        """Raise the error in all waiting calls."""
        for lane in self._waiting.values():
            for slot in lane:
                if not slot.done():
                    slot.set_exception(error)
        self._waiting.clear()

    async def _wait(self, lane: str) -> None:
        slot: Slot = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(lane, deque()).append(slot)
        self._serve()
        try:
            await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled() and slot.exception() is None:
                self._release(lane)  # granted and cancelled at the same time
            raise

    def _release(self, lane: str) -> None:
        self._in_use[lane] -= 1
        self._free += 1
        self._serve()

    def _serve(self) -> None:
        while (lane := self._next()) is not None:
            slots = self._waiting.pop(lane)
            slot = slots.popleft()
            if slots:
                self._waiting[lane] = slots  # to the end: other lanes come first
            if not slot.done():
                self._free -= 1
                self._in_use[lane] += 1
                slot.set_result(None)

    def _next(self) -> str | None:
        """The first lane that may have a slot now."""
        if not self._free:
            return None
        return next((lane for lane in self._waiting if not lane or self._free > 1 or not self._in_use[lane]), None)
