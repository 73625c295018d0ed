"""How much one connection may send, and how long it may take, for each phase of a request: counted in bytes on a connection
without a socket, timed by a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from workroom.api.frame import slow_readers, wire_limits
from workroom.api.frame.wire_limits import BODY_SECONDS, HEAD_SECONDS, LARGEST_HEAD, BoundedHttp

CHUNKED = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
READ = 64 * 1024  # what a socket hands over at once
FAR_TOO_MUCH = 64 << 20


class Clock:
    """An event loop's clock and timers, moved by hand; tasks run in the real one."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self._timers: list[asyncio.TimerHandle] = []
        self._loop = asyncio.get_running_loop()
        self.create_task = self._loop.create_task

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[..., Any], *args: Any) -> asyncio.TimerHandle:
        self._timers.append(timer := asyncio.TimerHandle(when, call, args, self._loop))
        return timer

    def call_later(self, seconds: float, call: Callable[..., Any], *args: Any) -> asyncio.TimerHandle:
        return self.call_at(self.now + seconds, call, *args)

    def pass_seconds(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [t for t in self._timers if t.when() <= until and not t.cancelled()]:
            timer = min(due, key=asyncio.TimerHandle.when)
            self._timers.remove(timer)
            self.now = max(self.now, timer.when())
            timer._run()
        self.now = until


class Line(asyncio.Transport):
    """A connection whose other end reads nothing, unless it is told how much was `taken`."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.taken = 0
        self.closed = self.aborted = self.paused = False

    def write(self, data: Any) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def get_write_buffer_size(self) -> int:
        return len(self.sent) - self.taken


class Application:
    """Notes the headers it is given, waits until it may answer, and reads the body if it is told to."""

    def __init__(self, *, reads: bool = True) -> None:
        self._reads = reads
        self.may_answer = asyncio.Event()
        self.answered = asyncio.Queue[None]()
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.headers = scope["headers"]
        more = self._reads
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
        self.answered.put_nowait(None)


class Peer:
    def __init__(self, app: Application) -> None:
        self.clock, self.line = Clock(), Line()
        config = uvicorn.Config(app, lifespan="off", log_config=None)
        self.http = BoundedHttp(config, ServerState(), {}, self.clock)  # type: ignore[arg-type]
        self.http.connection_made(self.line)

    def send(self, data: bytes) -> None:
        assert not self.line.closed
        self.http.data_received(data)

    def flood(self, pieces: Iterator[bytes]) -> int:
        """Sends, as a socket would hand it over, until it is cut; how many bytes were taken before."""
        taken, data = 0, b""
        while taken < FAR_TOO_MUCH and not self.line.closed:
            while len(data) < READ:
                data += next(pieces)
            self.http.data_received(data[:READ])
            taken, data = taken + READ, data[READ:]
        return taken


@pytest.fixture
async def app() -> Application:
    return Application()


@pytest.fixture
async def peer(app: Application) -> Peer:
    return Peer(app)


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"GET /", b"a"),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx-long: ", b"a"),
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n"),
        (b"", b"\r\n"),
        (CHUNKED + b"5;", b"a=b;"),
        (CHUNKED + b"0;", b"a=b;"),
        (CHUNKED, b"1;" + b"e" * 2_000 + b"\r\nx\r\n"),
        (CHUNKED + b"0\r\n", b"a: b\r\n"),
        (CHUNKED + b"0\r\nx-long: ", b"a"),
        (GET, GET),
    ],
    ids=[
        "address",
        "one header",
        "many headers",
        "blank lines",
        "extension of a chunk",
        "extension of the last chunk",
        "extensions of many chunks",
        "trailers",
        "one trailer",
        "requests before the first is answered",
    ],
)
async def test_what_comes_beside_a_body_without_end_is_cut_after_some_kilobytes(
    peer: Peer, start: bytes, piece: bytes
) -> None:
    if start:
        peer.send(start)
    assert peer.flood(repeat(piece * (1 + 1_000 // len(piece)))) <= LARGEST_HEAD + READ
    assert peer.line.closed
    assert len(peer.http.headers or ()) <= wire_limits.MOST_HEADERS
    assert len(peer.http.pipeline) <= wire_limits.MOST_PIPELINED


async def test_a_body_nobody_reads_any_more_is_cut() -> None:
    peer = Peer(app := Application(reads=False))
    app.may_answer.set()
    peer.send(CHUNKED)
    await app.answered.get()
    assert peer.flood(repeat(b"400\r\n" + b"x" * 0x400 + b"\r\n")) <= wire_limits.MOST_UNREAD * 1.02 + READ
    assert peer.line.sent.endswith(b"ok"), "nothing is written behind an answer"


async def test_trailers_do_not_reach_the_application(app: Application, peer: Peer) -> None:
    app.may_answer.set()
    peer.send(CHUNKED + b"2\r\nhi\r\n0\r\nauthorization: Bearer stolen\r\n\r\n")
    await app.answered.get()
    assert app.body == b"hi"
    assert dict(app.headers).keys() == {b"host", b"transfer-encoding"}


async def test_a_body_in_tiny_chunks_is_fine(app: Application, peer: Peer) -> None:
    app.may_answer.set()
    peer.send(CHUNKED + b"1\r\nx\r\n" * 50_000 + b"0\r\na: b\r\n\r\n")
    await app.answered.get()
    assert len(app.body) == 50_000


async def test_a_few_pipelined_requests_are_answered_in_turn(app: Application, peer: Peer) -> None:
    peer.send(GET * wire_limits.MOST_PIPELINED)
    app.may_answer.set()
    for _ in range(wire_limits.MOST_PIPELINED):
        await app.answered.get()
    assert peer.line.sent.count(b"200 OK") == wire_limits.MOST_PIPELINED


async def test_an_upgrade_does_not_lead_around_the_limits(app: Application, peer: Peer) -> None:
    app.may_answer.set()
    peer.send(
        b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n"
    )
    await app.answered.get()
    assert peer.line.sent.startswith(b"HTTP/1.1 200")


def _dripping(peer: Peer, piece: bytes, every: float) -> float:
    """Seconds until a peer is cut that sends a piece every so often."""
    begun = peer.clock.now
    while not peer.line.closed and peer.clock.now - begun < 10_000:
        peer.send(piece)
        peer.clock.pass_seconds(every)
    return peer.clock.now - begun


async def test_a_head_by_the_byte_is_given_up(peer: Peer) -> None:
    assert _dripping(peer, b"\r\n", HEAD_SECONDS * 0.9) < 2 * HEAD_SECONDS
    assert peer.line.sent.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("piece", [b"1\r\nx\r\n", b"1;e\r\nx\r\n"], ids=["chunks", "extensions"])
async def test_a_body_by_the_byte_is_given_up(peer: Peer, piece: bytes) -> None:
    peer.send(CHUNKED)
    assert _dripping(peer, piece, BODY_SECONDS * 0.9) < 3 * BODY_SECONDS
    assert peer.line.sent.startswith(b"HTTP/1.1 408")


async def test_trailers_by_the_line_are_given_up(peer: Peer) -> None:
    peer.send(CHUNKED + b"0\r\n")
    assert _dripping(peer, b"a: b\r\n", BODY_SECONDS * 0.9) < 3 * BODY_SECONDS


async def test_a_body_over_a_slow_line_is_waited_for(app: Application, peer: Peer) -> None:
    peer.send(CHUNKED)
    chunk = b"x" * int(wire_limits.SLOWEST_BODY * BODY_SECONDS)
    for _ in range(100):
        peer.send(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        peer.clock.pass_seconds(BODY_SECONDS * 0.9)
        peer.http.flow.resume_reading()
    assert not peer.line.closed


async def test_while_the_application_does_not_take_it_a_body_is_not_late() -> None:
    peer = Peer(Application(reads=False))
    peer.send(CHUNKED + b"20000\r\n" + b"x" * 0x20000)
    assert peer.line.paused
    peer.clock.pass_seconds(100 * BODY_SECONDS)
    assert not peer.line.closed
    peer.http.flow.resume_reading()
    peer.clock.pass_seconds(2 * BODY_SECONDS)
    assert peer.line.closed


async def test_between_two_requests_a_connection_does_not_stay_for_long(app: Application, peer: Peer) -> None:
    app.may_answer.set()
    peer.send(GET)
    await app.answered.get()
    peer.clock.pass_seconds(HEAD_SECONDS)
    assert peer.line.closed


async def test_what_is_no_http_is_refused_in_the_shape_of_every_error(peer: Peer) -> None:
    peer.send(b"\x16\x03\x01 hello")
    assert peer.line.closed
    assert b'"code": "invalidInput"' in peer.line.sent


async def test_half_a_request_behind_one_without_an_answer_yet_adds_nothing_to_it(peer: Peer) -> None:
    peer.send(GET + b"GET / HT")
    peer.clock.pass_seconds(2 * HEAD_SECONDS)
    assert peer.line.closed
    assert peer.line.sent == b""


async def test_an_answer_nobody_takes_is_given_up(app: Application, peer: Peer) -> None:
    app.may_answer.set()
    peer.send(GET)
    await app.answered.get()
    peer.clock.pass_seconds(slow_readers.TAKE_SECONDS)
    assert peer.line.aborted


@pytest.mark.parametrize("share", [0.5, 1.5], ids=["too slowly", "fast enough"])
async def test_a_long_answer_is_sent_as_long_as_it_is_taken(peer: Peer, share: float) -> None:
    peer.line.write(b"x" * 10_000_000)
    peer.http.pause_writing()
    for _ in range(20):
        peer.line.taken += int(share * slow_readers.SLOWEST_READER * slow_readers.TAKE_SECONDS)
        peer.http._wait(1e9)  # only what is sent counts here
        peer.clock.pass_seconds(slow_readers.TAKE_SECONDS)
    assert peer.line.aborted is (share < 1)
