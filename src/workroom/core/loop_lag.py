"""How late an event loop wakes up: the first number to look at when everything feels slow."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from workroom.core.waiting import wait_for

log = logging.getLogger(__name__)

EVERY = 0.1  # seconds between two looks
LATE = 0.1  # something holds the loop up, or the machine is busy
STUCK = 1.0  # everybody has noticed


def _nobody(_: float) -> None:
    return None


async def watch(observe: Callable[[float], None] = _nobody) -> None:
    """Until it is cancelled: tell how late, in seconds; and write down what is worth a look."""
    never = asyncio.Event()
    while True:
        before = time.perf_counter()
        await wait_for(never, EVERY)
        late = max(0.0, time.perf_counter() - before - EVERY)
        observe(late)
        if late > LATE:
            level = logging.WARNING if late > STUCK else logging.DEBUG
            log.log(level, "the event loop was held up", extra={"seconds": round(late, 3)})
