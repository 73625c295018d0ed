"""Waiting for an event with a time limit, instead of sleeping."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """True when the event came, False when the time ran out first."""
    try:
        async with asyncio.timeout(seconds):  # asyncio.wait_for makes a task, in Python 3.11, for every wait
            await event.wait()
    except TimeoutError:
        return False
    return True


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Like `await`, but a cancelled caller goes on only when the work has ended: for what must not be left half done, or
    still being done when its caller believes it is over."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                continue
        if not task.cancelled():
            task.exception()  # seen: the caller is told of the cancellation
        raise
