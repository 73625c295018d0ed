"""The worker process that `serve` starts: restarted when it dies, ended with its parent."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator

from workroom.core.waiting import wait_for
from workroom.settings import Settings

log = logging.getLogger(__name__)

STOP_SECONDS = 15.0
HEALTHY_SECONDS = 10.0
MOST_WAIT = 30.0


class WorkerChild:
    """Supervises the worker process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self._stop = asyncio.Event()

    async def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[WorkerChild]:
        task = asyncio.create_task(self._supervise(), name="worker child")
        try:
            yield self
        finally:
            self._stop.set()
            await task

    async def _supervise(self) -> None:
        failures = 0
        while not self._stop.is_set():
            started = time.monotonic()
            self._process = await self._start()
            ended = asyncio.create_task(self._process.wait())
            stopping = asyncio.create_task(self._stop.wait())
            await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            if self._stop.is_set():
                await self._end(self._process, ended)
                return
            failures = 0 if time.monotonic() - started > HEALTHY_SECONDS else failures + 1
            log.error("the worker has ended; starting it again", extra={"status": ended.result()})
            await wait_for(self._stop, min(MOST_WAIT, 0.5 * 2**failures))

    async def _start(self) -> asyncio.subprocess.Process:
        # The child notices the death of its parent, however it dies, by end-of-file on this pipe.
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # no modules of the current folder
            "-m",
            "workroom",
            "worker",
            "--child",
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl+C reaches the parent, which ends the child
            env={**os.environ, "WORKROOM_DATA": str(self._settings.data)},
        )

    async def _end(self, process: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(asyncio.shield(ended), timeout=STOP_SECONDS)
        except TimeoutError:
            log.warning("the worker did not stop in time; ending it")
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await ended
