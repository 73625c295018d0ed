"""A provider on loopback that says what it is told: the script first, then the behaviour.

Every connection carries one request, so that a client that leaves is seen to leave. What was asked is in `requests`, and
under `GET /requests` for other processes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from workroom.models.testing.ranks import Ranks
from workroom.models.testing.replies import Cut, Drip, Garbage, Nothing, Reply, ScriptedAnswer, Status
from workroom.models.testing.requests import ReceivedRequest, read
from workroom.models.testing.vectors import Vectors
from workroom.net import Origin

Behaviour = Callable[[ReceivedRequest], ScriptedAnswer]
OVER = Status(400, "The script is over.")
NOWHERE = Status(404, "There is nothing here.")
# What each of the APIs calls a list of models, all in one.
MODELS = {
    "object": "list",
    "data": [{"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted"}],
    "has_more": False,
    "models": [{"name": "models/scripted", "supportedGenerationMethods": ["generateContent"]}],
}


NO_PAGES: Mapping[str, Any] = {}


class ScriptedProvider:
    def __init__(
        self,
        script: Iterable[ScriptedAnswer] = (),
        *,
        behaviour: Behaviour | None = None,
        port: int = 0,
        pages: Mapping[str, Any] = NO_PAGES,
    ) -> None:
        """`pages`: JSON by path, for what servers say of themselves; instead of a value, what makes it of the request."""
        self.script = list(script)
        self.behaviour = behaviour
        self.pages = dict(pages)
        self.requests: list[ReceivedRequest] = []
        self.departed = asyncio.Event()
        """Set when a client left before its answer was whole."""
        self._port = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        """For OpenAI's API; the others are spoken at `root_url`."""
        return f"{self.root_url}/v1"

    @property
    def root_url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def origin(self) -> Origin:
        """For the `allowed_private` of a client."""
        return Origin.parse(self.root_url)

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def aclose(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await read(reader)
            if request is not None:
                await self._unless_gone(reader, self._answer(request, writer))
        finally:
            writer.close()

    async def _unless_gone(self, reader: asyncio.StreamReader, answer: Awaitable[None]) -> None:
        """Answer, and stop when the client has gone: it has nothing more to send, so reading ends only then."""
        answering, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(reader.read())
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                self.departed.set()
        finally:
            for task in (answering, leaving):
                task.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)

    async def _answer(self, request: ReceivedRequest, writer: asyncio.StreamWriter) -> None:
        match request.method, request.path:
            case _, path if path in self.pages:
                page = self.pages[path]
                await _whole(writer, 200, page(request) if callable(page) else page)
            case "POST", "/api/show":
                await _whole(writer, 404, *request.dialect.failure(NOWHERE))
            case "POST", _ if request.model:
                self.requests.append(request)
                await _say(self._next(request), request, writer)
            case "GET", "/v1/models" | "/v1beta/models":
                await _whole(writer, 200, MODELS)
            case "GET", "/requests":
                await _whole(writer, 200, [asdict(request) for request in self.requests])
            case _:
                await _whole(writer, 404, *request.dialect.failure(NOWHERE))

    def _next(self, request: ReceivedRequest) -> ScriptedAnswer:
        if self.script:
            return self.script.pop(0)
        return self.behaviour(request) if self.behaviour is not None else OVER


async def _say(answer: ScriptedAnswer, request: ReceivedRequest, writer: asyncio.StreamWriter) -> None:
    match answer:
        case Status():
            await _whole(writer, answer.status, *request.dialect.failure(answer))
        case Nothing(dropped=True):
            pass
        case Nothing():
            await asyncio.Event().wait()
        case Vectors() | Ranks():
            await _whole(writer, 200, answer.body(request.body))
        case Reply() if not request.streams:
            await _whole(writer, 200, request.dialect.whole(answer, request.model))
        case _:
            await _stream(answer, request, writer)


async def _stream(answer: Reply | Cut | Garbage | Drip, request: ReceivedRequest, writer: asyncio.StreamWriter) -> None:
    reply = answer if isinstance(answer, Reply) else answer.reply
    await _head(writer, 200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
    for number, piece in enumerate(request.dialect.pieces(reply, request.model, request.body)):
        if not isinstance(answer, Reply) and number == answer.after:
            match answer:
                case Cut(how="dropped"):
                    return
                case Cut():
                    break
                case Garbage():
                    await _piece(writer, request.dialect.event(answer.line))
                case Drip():
                    await answer.gate.wait()
        await _piece(writer, piece)
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _piece(writer: asyncio.StreamWriter, text: str) -> None:
    data = text.encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


async def _whole(writer: asyncio.StreamWriter, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
    data = json.dumps(body).encode()
    fixed = {"Content-Type": "application/json", "Content-Length": str(len(data))}
    await _head(writer, status, fixed | (headers or {}))
    writer.write(data)
    await writer.drain()


async def _head(writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
    lines = [f"HTTP/1.1 {status} Scripted", "Connection: close", *(f"{name}: {headers[name]}" for name in headers)]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    await writer.drain()
