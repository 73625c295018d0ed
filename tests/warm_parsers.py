"""Child processes that read documents, kept from one test to the next.

Starting one takes a third of a second of processor time, and most tests that read a document need one. What a child does
between two jobs of one workspace it also does between two tests: it tidies up and waits. Only children that would be kept
anyway are: those that broke, wore out or are busy end as ever. Tests of the children themselves make their own `Parsers`.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from workroom.contents import runtime
from workroom.documents.workers.environment import environment
from workroom.documents.workers.parsers import Parsers
from workroom.documents.workers.pool import ChildPool
from workroom.documents.workers.process import Child

Waiting = dict[tuple[object, ...], list[Child]]


class WarmPool(ChildPool):
    """Takes children that wait, instead of starting them, and lets its idle ones wait when it is closed."""

    def __init__(self, waiting: Waiting, **limits: Any) -> None:
        super().__init__(**limits)
        self._waiting = waiting

    async def _next_child(self) -> Child:
        if not self._idle and (alike := self._waiting[self._kind()]):
            self._idle.append(alike.pop())
        return await super()._next_child()

    async def close(self) -> None:
        self._waiting[self._kind()] += [child for child in self._idle if child.is_alive]
        self._idle = [child for child in self._idle if not child.is_alive]
        await super().close()

    def _kind(self) -> tuple[object, ...]:
        """Children are alike when they were started with the same limits, in the same environment, from the same loop."""
        given = frozenset(environment(Path("/")).items())
        return asyncio.get_running_loop(), self._memory_mb, self._seconds, self._modules, given


class WarmParsers(Parsers):
    def __init__(self, waiting: Waiting, **limits: Any) -> None:
        super().__init__(**limits)
        pool = self._pool
        self._pool = WarmPool(
            waiting,
            processes=limits["processes"],
            warm=limits["warm"],
            memory_mb=pool._memory_mb,
            seconds=pool._seconds,
            output_mb=pool._output >> 20,
            modules=pool._modules,
        )


@asynccontextmanager
async def keep_parsers_warm() -> AsyncIterator[None]:
    """Inside the block, services that are opened share the children of those that were closed."""
    waiting: Waiting = defaultdict(list)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runtime, "Parsers", partial(WarmParsers, waiting))
        yield
    for child in (child for alike in waiting.values() for child in alike):
        await child.end()
