"""Prefetching: an async generator that works ahead of its consumer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, TypeVar

T = TypeVar("T")


class _End:
    """Nothing more comes."""


END: Final = _End()


async def ahead(source: AsyncGenerator[T, None], most: int = 1) -> AsyncGenerator[T, None]:
    """The same, up to so many items ahead, all of it in one task of its own: what `source` holds open it closes where it opened
    it. What it raises comes after what it gave; a consumer that leaves early uses `aclosing`."""
    queue: asyncio.Queue[T | _End] = asyncio.Queue()
    room = asyncio.Semaphore(most)

    async def work() -> None:
        try:
            async with aclosing(source) as items:
                async for item in items:
                    await room.acquire()
                    queue.put_nowait(item)
        finally:
            queue.put_nowait(END)

    working = asyncio.create_task(work())
    try:
        while not isinstance(item := await queue.get(), _End):
            room.release()
            yield item
        await working
    finally:
        working.cancel()
        await asyncio.wait({working})
