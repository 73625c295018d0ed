"""Limits below HTTP: how much a peer may send beside the body of a request, and how long it may take for each phase.

The parser takes whatever comes, so without these one connection could fill the memory or hold the event loop, and many
half-sent requests could hold every connection there is, before any of our code sees a request. The size of bodies is limited
above (`body_limit.py`), while they are read; here only what no handler reads any more.
"""

from __future__ import annotations

import asyncio
import json
import resource
from enum import Enum
from typing import Any

from workroom.api.frame.slow_readers import SlowReaderLimit

LARGEST_HEAD = 64 * 1024  # and the most that may come between two pieces of a body: chunk extensions, trailers
MOST_HEADERS = 200
MOST_PIPELINED = 8  # requests that wait for the answer to an earlier one
MOST_UNREAD = 16 << 20  # of a body after its answer: so that a client that sends first gets to read it
FED_AT_ONCE = 16 * 1024  # the limits are looked at so often; a read from the socket has up to sixteen times that
CHUNK_FRAME = 32  # bytes around a chunk: its length and two line ends, generously
HEAD_SECONDS = 15.0
BODY_SECONDS = 30.0  # between two pieces, and for a body as long as SLOWEST_BODY says
SLOWEST_BODY = 1_000  # bytes a second, once BODY_SECONDS are over


class RequestPhase(Enum):
    NOTHING = "nothing"
    HEAD = "head"
    BODY = "body"  # with its chunk lengths, extensions and trailers


class BoundedHttp(SlowReaderLimit):
    _reading = RequestPhase.NOTHING
    _beside_body = 0  # bytes that were not body
    _body_bytes = 0
    _body_since = 0.0
    _unread_bytes = 0
    _deadline = 0.0
    _timer: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.ws_protocol_class = None  # an upgrade would lead around these limits; there are no WebSockets here
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), FED_AT_ONCE):
            if self._refused or self.transport.is_closing():
                return
            self._feed(data[start : start + FED_AT_ONCE])

    def _feed(self, data: bytes) -> None:
        if self._reading is RequestPhase.NOTHING:
            self._begin_head()
        self._beside_body += len(data)
        super().data_received(data)
        if self._reading is not RequestPhase.NOTHING and self._beside_body > LARGEST_HEAD:
            self._too_large()

    def on_message_begin(self) -> None:
        if self._reading is RequestPhase.NOTHING:
            self._begin_head()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Trailers are dropped: the application has its headers already, and none may be added behind its back."""
        if self._refused or self._reading is RequestPhase.BODY:
            return
        if len(self.headers) == MOST_HEADERS:
            self._too_large()
        else:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._refused:
            return
        head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if head > LARGEST_HEAD or len(self.pipeline) == MOST_PIPELINED:
            self._too_large()
            return
        self._reading = RequestPhase.BODY
        self._body_bytes, self._body_since, self._unread_bytes = 0, self.loop.time(), 0
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self._refused:
            return
        self._beside_body = max(0, self._beside_body - len(body) - CHUNK_FRAME)
        self._body_bytes += len(body)
        self._deadline = self.loop.time() + min(BODY_SECONDS, self._body_left())
        if self.cycle.response_complete:
            self._unread_bytes += len(body)
            if self._unread_bytes > MOST_UNREAD:
                self._too_large()
        super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._refused:
            self._reading = RequestPhase.NOTHING
            self._wait_no_longer()
            super().on_message_complete()

    def _begin_head(self) -> None:
        self._reading, self._beside_body = RequestPhase.HEAD, 0
        self._wait(HEAD_SECONDS)

    def _body_left(self) -> float:
        """Seconds until a body that comes no faster is too slow."""
        return self._body_since + BODY_SECONDS + self._body_bytes / SLOWEST_BODY - self.loop.time()

    def _wait(self, seconds: float) -> None:
        self._wait_no_longer()
        self._deadline = self.loop.time() + seconds
        self._timer = self.loop.call_at(self._deadline, self._look_at_deadline)

    def _wait_no_longer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_at_deadline(self) -> None:
        if self.flow.read_paused:  # it is the application that takes its time
            self._body_since = self.loop.time()
            self._wait(BODY_SECONDS)
        elif self._deadline > self.loop.time():
            self._wait(self._deadline - self.loop.time())
        else:
            self._refuse(b"408 Request Timeout", "tooSlow", "The request did not arrive in time.")

    def send_400_response(self, msg: str) -> None:
        self._refuse(b"400 Bad Request", "invalidInput", msg)

    def _too_large(self) -> None:
        message = "The head of the request is too large, or what comes with its body is."
        self._refuse(b"431 Request Header Fields Too Large", "tooLarge", message)

    def _refuse(self, status: bytes, code: str, message: str) -> None:
        """In the shape of every error; nothing of the request is believed, so it has no trace."""
        self._refused = True
        self._wait_no_longer()
        content = json.dumps({"code": code, "message": message}).encode()
        head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        if self.transport.is_closing():
            return
        if self._may_answer():
            self.transport.write(head % (status, len(content)) + content)
        self.transport.close()
        self.look_whether_taken()

    def _may_answer(self) -> bool:
        """Not in the middle of another answer, nor behind one that this request already has."""
        if self._reading is RequestPhase.BODY:
            return not self.pipeline and not self.cycle.response_started
        return self.cycle is None or self.cycle.response_complete


def most_connections(reserve: int = 100) -> int:
    """As many as this process may have files open, less those it needs itself."""
    soft: Any = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(50, min(int(soft), 20_000) - reserve)
