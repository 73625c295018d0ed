"""A wire between a client and a server (PostgreSQL, HTTP) that can be slowed, cut and made deaf.

async with Proxy(Path("/run/…/.s.PGSQL.5432")) as proxy:
    …connect to proxy.host, proxy.port…
    proxy.mood = HOLD            # nothing that the server says arrives any more
    await proxy.asked.wait()     # the client has said something
    proxy.cut()                  # every connection ends, without a farewell
    proxy.mood = PASS
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from workroom.core.waiting import wait_for

CHUNK = 65_536
_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER of zero seconds: closing sends RST


@dataclass(frozen=True)
class Mood:
    """How bytes travel, in both directions but for `holds`."""

    delay: float = 0.0  # seconds before each piece
    piece: int = CHUNK  # bytes at a time
    deaf: bool = False  # new connections are accepted, and nothing ever happens on them
    holds: bool = False  # what the server says is kept back


PASS = Mood()
HOLD = Mood(holds=True)
DEAF = Mood(deaf=True, holds=True)


def drip(piece: int, every: float) -> Mood:
    return Mood(delay=every, piece=piece)


def late(seconds: float) -> Mood:
    return Mood(delay=seconds)


class Proxy:
    """Listens on a free port of loopback. The upstream is an address, or the path of a Unix socket."""

    def __init__(self, upstream: tuple[str, int] | Path) -> None:
        self._upstream = upstream
        self._mood = PASS
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._silenced = 0  # connections up to this number
        self.asked = asyncio.Event()
        self.accepted = 0
        self.host, self.port = "127.0.0.1", 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def mood(self) -> Mood:
        return self._mood

    @mood.setter
    def mood(self, mood: Mood) -> None:
        """For every connection, from the next piece on. `asked` is cleared: it speaks of what comes after this."""
        self._mood = mood
        self.asked.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    def cut(self) -> None:
        """End every connection there is, on both sides, as a pulled plug with a polite router does: RST."""
        for writer in tuple(self._writers):
            made: socket.socket | None = writer.get_extra_info("socket")
            if made is not None and made.family != socket.AF_UNIX:
                with contextlib.suppress(OSError):
                    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            writer.transport.abort()

    def silence(self) -> None:
        """The connections there are stay open, and nothing travels on them any more; new ones work."""
        self._silenced = self.accepted
        self.mood = self.mood

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(asyncio.CancelledError):  # ours, at the end; streams would log it as an error
            await self._carry(reader, writer)
        self._tasks.discard(task)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted = number = self.accepted + 1
        self._writers.add(writer)
        try:
            if self._mood.deaf:
                await reader.read()  # until the client gives up
                return
            up_reader, up_writer = await self._dial()
            self._writers.add(up_writer)
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._pump(number, reader, up_writer, from_server=False))
                    both.create_task(self._pump(number, up_reader, writer, from_server=True))
            finally:
                self._drop(up_writer)
        except* OSError:
            pass
        finally:
            self._drop(writer)

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._upstream, Path):
            return await asyncio.open_unix_connection(str(self._upstream))
        return await asyncio.open_connection(*self._upstream)

    async def _pump(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, from_server: bool
    ) -> None:
        while data := await reader.read(CHUNK):
            if not from_server:
                self.asked.set()
            while data:
                mood, changed = self._mood, self._changed
                if number <= self._silenced or mood.deaf or (mood.holds and from_server):
                    await changed.wait()
                    continue
                if mood.delay:
                    await wait_for(changed, mood.delay)
                writer.write(data[: mood.piece])
                await writer.drain()
                data = data[mood.piece :]
        writer.close()  # the other side learns that this one has said goodbye

    def _drop(self, writer: asyncio.StreamWriter) -> None:
        self._writers.discard(writer)
        writer.transport.abort()
