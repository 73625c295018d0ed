"""Blocking work on open files, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from workroom.core.waiting import to_its_end

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Like `asyncio.to_thread`, but a cancelled caller continues only when the work has ended.

    Otherwise the caller would close a file descriptor that the thread still writes to, and its number may belong to
    another file by then.
    """
    return await to_its_end(asyncio.to_thread(work, *args, **kwargs))
