"""Async generators that were left open are closed after the garbage collection that found them, not during it.

Any thread may collect garbage. Told of a generator, the loop closes it at once, and with it those it iterates over, while the
collecting thread has these still before it: it would close them as well, in the wrong thread or in the middle of their work
(`ValueError: async generator already executing`). Libraries leave such chains behind whenever a stream breaks off.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any

SECONDS = 1.0  # longer than a collection lasts

Finalizer = Callable[[AsyncGenerator[Any, Any]], None]


def install() -> None:
    """For generators that are begun by the running loop, from now on."""
    finalizer = sys.get_asyncgen_hooks().finalizer
    assert finalizer is not None  # every loop sets one
    sys.set_asyncgen_hooks(finalizer=deferred(asyncio.get_running_loop(), finalizer))


def deferred(loop: asyncio.AbstractEventLoop, finalizer: Finalizer) -> Finalizer:
    """`finalizer` of `loop`, which runs in this thread. What it collects itself is closed after that anyway."""
    thread = threading.get_ident()

    def finalize(generator: AsyncGenerator[Any, Any]) -> None:
        if threading.get_ident() == thread:
            finalizer(generator)
        else:
            with contextlib.suppress(RuntimeError):  # the loop is closed, and nothing is left to do
                loop.call_soon_threadsafe(loop.call_later, SECONDS, finalizer, generator)

    return finalize
