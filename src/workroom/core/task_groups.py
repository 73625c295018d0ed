"""Concurrent work of which the first error counts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def run_together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Results in the order of `work`. An error cancels the rest and is raised as itself, not as a group."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(item) for item in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
