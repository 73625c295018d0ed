"""Requests that never end, and heads that never stop: answered or cut, while everybody else is served. The same limits by the
byte and by the clock are in test_wire_counts.py."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

import pytest
import uvicorn

from workroom.api.frame import wire_limits
from workroom.api.frame.wire_limits import BoundedHttp


async def echo(scope: dict[str, object], receive: object, send: object) -> None:
    """Reads the whole body, then answers its length."""
    length, more = 0, True
    while more:
        message = await receive()  # type: ignore[operator]
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    content = str(length).encode()
    headers = [(b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})  # type: ignore[operator]
    await send({"type": "http.response.body", "body": content})  # type: ignore[operator]


class Server(uvicorn.Server):
    """Says when it is up, and leaves signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_limits, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(wire_limits, "BODY_SECONDS", 0.3)


@pytest.fixture
async def port() -> AsyncIterator[int]:
    config = uvicorn.Config(echo, port=0, http=BoundedHttp, lifespan="off", log_config=None)
    server = Server(config)
    running = asyncio.create_task(server.serve())
    await asyncio.wait_for(server.up.wait(), 60)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


async def ask(port: int, *pieces: bytes) -> tuple[int, bytes]:
    """Send piece by piece and read until the connection ends; status and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
    with suppress(ConnectionError):
        answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), body


async def test_an_ordinary_request_and_a_second_one_on_the_same_connection(port: int) -> None:
    first = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello"
    last = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    status, body = await ask(port, first, last)
    assert status == 200
    assert body.startswith(b"5")
    assert body.endswith(b"0")


async def test_a_large_body_in_many_pieces_is_fine(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 900000\r\n\r\n"
    status, body = await ask(port, head, *([b"x" * 100_000] * 9))
    assert (status, body) == (200, b"900000")


@pytest.mark.parametrize(
    "pieces",
    [
        [b"GET / HTTP/1.1\r\nhost: x\r\nx-long: " + b"a" * 200_000, b"b" * 200_000],
        [b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n"],
        [b"GET / HTTP/1.1\r\nhost: x\r\n", *([b"x-h: " + b"v" * 1_000 + b"\r\n"] * 200)],
    ],
    ids=["one endless header", "an endless address", "very many headers"],
)
async def test_a_head_without_end_is_refused(port: int, pieces: list[bytes]) -> None:
    status, body = await ask(port, *pieces)
    assert status in (431, 0)  # the answer may be lost when we are still sending
    if status:
        assert json.loads(body)["code"] == "tooLarge"


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "piece",
    [b"", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhal"],
    ids=["nothing at all", "half a head", "half a body"],
)
async def test_a_request_that_stops_half_way_is_given_up(port: int, piece: bytes) -> None:
    status, body = await ask(port, piece)
    assert status == 408
    assert json.loads(body)["code"] == "tooSlow"


def test_connections_are_limited_by_what_the_process_may_open() -> None:
    assert 50 <= wire_limits.most_connections() <= 20_000
