"""Web server on loopback with scripted responses: regular, slow, endless, or not HTTP at all."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ScriptedResponse:
    status: int = 200
    body: bytes | AsyncIterator[bytes] = b""
    """An iterator is sent piece by piece and ended by closing the connection."""
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent instead of everything else, then the connection is closed."""

    @classmethod
    def redirect(cls, location: str, status: int = 302) -> ScriptedResponse:
        return cls(status, headers={"Location": location})


@dataclass(frozen=True)
class ReceivedRequest:
    method: str
    target: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class ScriptedSite:
    """`answers` are by path (`*` for any); requests are recorded in `received`, the server names of TLS in `sni`."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self.answers: dict[str, ScriptedResponse] = {}
        self.received: list[ReceivedRequest] = []
        self.sni: list[str | None] = []
        self.greeting: bytes | None = None
        """Sent on connection instead of reading a request, then the connection is closed: a server that is not HTTP."""
        self.connections = 0
        self.port = 0
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def start(cls, tls: ssl.SSLContext | None = None) -> ScriptedSite:
        site = cls(tls)
        if tls is not None:
            tls.sni_callback = lambda _socket, name, _context: site.sni.append(name)
        site._server = await asyncio.start_server(site._accept, "127.0.0.1", 0, ssl=tls)
        site.port = site._server.sockets[0].getsockname()[1]
        return site

    async def aclose(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self.greeting is not None:
                writer.write(self.greeting)
                await writer.drain()
                return
            while (request := await _read(reader)) is not None:
                self.received.append(request)
                path = request.target.partition("?")[0]
                answer = self.answers.get(path) or self.answers.get("*") or ScriptedResponse(404)
                if not await _write(writer, request, answer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client closed the connection
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> ReceivedRequest | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return ReceivedRequest(method, target, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


async def _write(writer: asyncio.StreamWriter, request: ReceivedRequest, answer: ScriptedResponse) -> bool:
    """Write the response; True if the connection stays open for another request."""
    if answer.raw is not None:
        writer.write(answer.raw)
        await writer.drain()
        return False
    headers = dict(answer.headers)
    whole = isinstance(answer.body, bytes)
    headers |= {"Content-Length": str(len(answer.body))} if isinstance(answer.body, bytes) else {"Connection": "close"}
    lines = [f"HTTP/1.1 {answer.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    if isinstance(answer.body, bytes):
        writer.write(b"" if request.method == "HEAD" else answer.body)
        await writer.drain()
    else:
        async for piece in answer.body:
            writer.write(piece)
            await writer.drain()
    return whole
