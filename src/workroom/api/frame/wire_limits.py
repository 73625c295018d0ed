"""Limits below HTTP: how large the head of a request may be, and how long its sender may take.

The parser collects whatever comes, so without these one connection could fill the memory and many half-sent requests
could hold every connection there is, before any of our code sees a request.
"""

from __future__ import annotations

import asyncio
import json
import resource
from enum import Enum
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
HEAD_SECONDS = 15.0
BODY_SECONDS = 30.0  # between two pieces


class Reading(Enum):
    NOTHING = "nothing"
    HEAD = "head"
    BODY = "body"


class BoundedHttp(HttpToolsProtocol):
    _reading = Reading.NOTHING
    _head_bytes = 0
    _timer: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._reading is Reading.NOTHING:
            self._begin_head()
        if self._reading is Reading.HEAD:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._reading is Reading.HEAD and self._head_bytes > LARGEST_HEAD:
            self._refuse(b"431 Request Header Fields Too Large", "The head of the request is too large.")

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            return self._refuse(b"431 Request Header Fields Too Large", "The head of the request is too large.")
        self._reading = Reading.BODY
        self._wait(BODY_SECONDS)
        return super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            self._wait(BODY_SECONDS)
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._refused:
            self._reading = Reading.NOTHING
            self._wait_no_longer()
            super().on_message_complete()

    def _begin_head(self) -> None:
        self._reading, self._head_bytes = Reading.HEAD, 0
        self._wait(HEAD_SECONDS)

    def _wait(self, seconds: float) -> None:
        self._wait_no_longer()
        self._timer = self.loop.call_later(seconds, self._too_slow)

    def _wait_no_longer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._refuse(b"408 Request Timeout", "The request did not arrive in time.")

    def _refuse(self, status: bytes, message: str) -> None:
        """In the shape of every error; nothing of the request is believed, so it has no trace."""
        self._refused = True
        self._wait_no_longer()
        content = json.dumps({"code": "tooLarge" if status[:3] == b"431" else "tooSlow", "message": message}).encode()
        head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        if not self.transport.is_closing():
            self.transport.write(head % (status, len(content)) + content)
            self.transport.close()


def most_connections(reserve: int = 100) -> int:
    """As many as this process may have files open, less those it needs itself."""
    soft: Any = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(50, min(int(soft), 20_000) - reserve)
