"""Waiting: for an event, with a limit. Nothing in Workroom sleeps blindly."""

from __future__ import annotations

import asyncio


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """True when the event came, False when the time ran out first."""
    try:
        async with asyncio.timeout(seconds):  # asyncio.wait_for makes a task, in Python 3.11, for every wait
            await event.wait()
    except TimeoutError:
        return False
    return True
