"""Work as long as a file is large: in a thread when there is much of it, so that the event loop serves others meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from workroom.core.wire import Wire

MANY = 100  # fewer small things are done sooner than they are handed to a thread
LONG = 200_000  # bytes of JSON that are checked in a millisecond or two

T = TypeVar("T")
R = TypeVar("R")
W = TypeVar("W", bound=Wire)


async def each(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What `work` makes of every one of them, in their order."""
    if len(items) < MANY:
        return [work(item) for item in items]
    return await asyncio.to_thread(lambda: [work(item) for item in items])


async def parsed(kind: type[W], text: str | bytes) -> W:
    if len(text) < LONG:
        return kind.model_validate_json(text)
    return await asyncio.to_thread(kind.model_validate_json, text)
