"""Waiting: for an event, with a limit. Nothing in Workroom sleeps blindly."""

from __future__ import annotations

import asyncio


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """True when the event came, False when the time ran out first."""
    try:
        await asyncio.wait_for(event.wait(), timeout=seconds)
    except TimeoutError:
        return False
    return True
