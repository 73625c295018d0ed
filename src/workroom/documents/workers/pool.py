"""Pool of warm child processes: one job at a time each, replaced when they crash or grow too large."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from workroom.core.errors import ConfigurationError, Conflict, WorkroomError
from workroom.documents.errors import DocumentError
from workroom.documents.workers.fair_queue import FairQueue
from workroom.documents.workers.frames import BadFrame, FrameType
from workroom.documents.workers.job_output import JobOutput
from workroom.documents.workers.process import START_SECONDS, Child, ChildDied
from workroom.documents.workers.serialisation import error_in

log = logging.getLogger(__name__)
_ATTEMPTS = 3


class ChildPool:
    def __init__(
        self, *, processes: int, warm: int, memory_mb: int, seconds: float, output_mb: int, modules: Sequence[str]
    ) -> None:
        self._warm = warm
        self._memory_mb, self._seconds, self._output = memory_mb, seconds, output_mb << 20
        self._modules = tuple(modules)
        self._queue = FairQueue(processes)
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def pids(self) -> list[int]:
        return [child.pid for child in (*self._idle, *self._busy)]

    async def pages(self, request: dict[str, Any], lane: str) -> AsyncGenerator[list[bytes], None]:
        """Output of a child for a request, in batches as it arrives. The child is reused only if it reports that it can be;
        after any error it is ended."""
        async with self._queue.acquire(lane):
            child = await self._begin(request)
            answer = JobOutput(child, seconds=self._seconds, most_bytes=self._output)
            done = reusable = False
            error: WorkroomError | None = None
            try:
                while not done:
                    page = list[bytes]()
                    for mark, payload in await answer.page():
                        if mark is FrameType.DONE:
                            done, reusable = True, not json.loads(payload)["retire"]
                        elif mark is FrameType.ERROR:
                            error = _error_from(payload)
                        else:
                            page.append(payload)
                    if page:
                        yield page
                if error is not None:
                    raise error
            except DocumentError:
                if self._closed:  # `close` ended the child, not the document
                    raise _shutting_down() from None
                raise
            finally:
                self._leave(child, keep=reusable)

    async def ended(self) -> None:
        """Wait until every ended child is gone from the system."""
        while self._ending:
            await asyncio.gather(*self._ending)

    async def close(self) -> None:
        self._closed = True
        self._queue.fail(_shutting_down())
        for child in (*self._idle, *self._busy):
            self._end(child)
        self._idle.clear()
        await self.ended()

    async def _begin(self, request: dict[str, Any]) -> Child:
        """A child that has accepted the request. One that died while idle is replaced: that is not the document's fault."""
        for _ in range(_ATTEMPTS):
            if self._closed:
                raise _shutting_down()
            child = await self._next_child()
            try:
                await child.ask(request)
                await child.frame(START_SECONDS)  # however little time the document may take
            except (ChildDied, TimeoutError, BadFrame):
                self._leave(child, keep=False)
            except BaseException:
                self._leave(child, keep=False)
                raise
            else:
                return child
        raise ConfigurationError("The programs that read documents end again and again before they begin. See the log.")

    async def _next_child(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_alive:
                break
            self._end(child)
        else:
            child = await Child.start(memory_mb=self._memory_mb, seconds=self._seconds, modules=self._modules)
        self._busy.add(child)
        return child

    def _leave(self, child: Child, *, keep: bool) -> None:
        self._busy.discard(child)
        if keep and not self._closed and len(self._idle) < self._warm:
            self._idle.append(child)
        else:
            self._end(child)

    def _end(self, child: Child) -> None:
        task = child.end()
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def _error_from(payload: bytes) -> WorkroomError:
    values = json.loads(payload)
    if cause := values.pop("cause"):
        log.warning("an extractor failed: %s", cause)
    return error_in(values)


def _shutting_down() -> Conflict:
    return Conflict("The readers of documents are being shut down. Try again in a moment.")
