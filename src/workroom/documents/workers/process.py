"""One child process, seen from its parent: start, send a request, read frames, end."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from workroom.core.errors import ConfigurationError
from workroom.documents.workers import frames
from workroom.documents.workers.environment import command, environment
from workroom.documents.workers.frames import Frame, FrameType

START_SECONDS = 60
_STDERR_TAIL = 4096


class ChildDied(Exception):
    """The child is gone. `code` is what the system said, `stderr_tail` the end of what it wrote to its error output."""

    def __init__(self, code: int | None, stderr_tail: bytes) -> None:
        super().__init__(f"exit code {code}")
        self.code, self.stderr_tail = code, stderr_tail


class Child:
    """A running child, made by `start`. Between jobs it waits for the next; `end` must always be called."""

    def __init__(self, process: asyncio.subprocess.Process, scratch: Path) -> None:
        self._process, self._scratch = process, scratch
        assert process.stdout is not None
        self._arriving, self._waiting = frames.FrameReader(process.stdout), list[Frame]()
        self._stderr_tail = b""
        self._reading = asyncio.Lock()
        self._finishing: asyncio.Task[None] | None = None
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, *, memory_mb: int, seconds: float, modules: Sequence[str]) -> Self:
        # No await between here and the process: a cancelled call must not leave the folder behind.
        scratch = Path(tempfile.mkdtemp(prefix="workroom-reader-"))
        try:
            process = await asyncio.create_subprocess_exec(
                *command(memory_mb, seconds, scratch, modules),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment(scratch),
                cwd="/",
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        child = cls(process, scratch)
        try:
            await child._ready()
        except BaseException:
            await asyncio.shield(child.end())
            raise
        return child

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(frames.pack_frame(FrameType.JOB, json.dumps(request).encode()))
        with suppress(ConnectionError):  # then the next frame says that it died
            await self._process.stdin.drain()

    async def frame(self, seconds: float) -> Frame:
        """The next one. Raises TimeoutError, ChildDied, BadFrame."""
        first, *self._waiting = await self.page(seconds)
        return first

    async def page(self, seconds: float) -> list[Frame]:
        """The next ones, at least one. Raises TimeoutError, ChildDied, BadFrame."""
        if self._waiting:
            page, self._waiting = self._waiting, []
            return page
        try:
            async with asyncio.timeout(max(0, seconds)), self._reading:
                return await self._arriving.page()
        except asyncio.IncompleteReadError:
            code = await self._process.wait()
            await self._listening
            raise ChildDied(code, self._stderr_tail) from None

    def end(self) -> asyncio.Task[None]:
        """Kill it with all its processes; the task is done when they are gone."""
        if self._finishing is None:
            if self.is_alive:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._finishing = asyncio.create_task(self._finish())
        return self._finishing

    async def _finish(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        async with self._reading:
            while await self._process.stdout.read(1 << 16):
                pass  # a full pipe would keep the process's end from being seen
        await self._process.wait()
        await self._listening
        with suppress(ConnectionError):
            await self._process.stdin.wait_closed()
        await asyncio.to_thread(shutil.rmtree, self._scratch, ignore_errors=True)

    async def _ready(self) -> None:
        try:
            mark, _ = await self.frame(START_SECONDS)
        except (TimeoutError, ChildDied, frames.BadFrame) as error:
            raise ConfigurationError(
                "The program that reads documents does not start on this machine. `workroom doctor` may say why.",
                reason=self._stderr_tail.decode(errors="replace").strip().rpartition("\n")[2][-300:],
            ) from error
        assert mark is FrameType.READY

    async def _listen(self) -> None:
        """Drain its stderr so that it never blocks; keeps the tail for the crash error."""
        assert self._process.stderr is not None
        while words := await self._process.stderr.read(_STDERR_TAIL):
            self._stderr_tail = (self._stderr_tail + words)[-_STDERR_TAIL:]
