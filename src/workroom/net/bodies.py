"""The body of an answer: decompressed and counted while it streams, so that nothing larger than agreed is ever held."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

import httpcore2
import httpx2

from workroom.net.errors import AnswerTooLarge
from workroom.net.failures import as_httpx2, timed_out
from workroom.net.limits import StreamLimits
from workroom.net.urls import Origin

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FRAMING = ("content-length", "content-encoding", "transfer-encoding")
_BLANK_LINE = re.compile(rb"\n\r?\n|\r\r")


async def bounded(
    answer: httpx2.Response,
    *,
    max_bytes: int,
    origin: Origin,
    extensions: Mapping[str, Any],
    total_seconds: float,
    stream_limits: StreamLimits | None = None,
) -> httpx2.Response:
    """`answer` with a body that ends in `AnswerTooLarge` when it grows over `max_bytes`, or beyond `stream_limits`."""
    headers = answer.headers.copy()
    if stream_limits is not None:
        max_bytes = stream_limits.max_event_bytes if answer.is_error else min(max_bytes, stream_limits.max_bytes)
    if answer.status_code in _REDIRECTS and "location" in headers:
        # Nobody reads the body of a redirect, and httpx2 would load all of it before it goes on.
        await answer.aclose()
        for name in _FRAMING:
            headers.pop(name, None)
        body: httpx2.AsyncByteStream = httpx2.ByteStream(b"")
    elif answer.request.method == "HEAD":
        body = CountedBody(answer, max_bytes, origin)
    else:
        if int(headers.get("content-length", "0")) > max_bytes:
            raise _too_large(origin, max_bytes)
        if headers.pop("content-encoding", None) is not None:
            headers.pop("content-length", None)
        body = CountedBody(answer, max_bytes, origin)
        if stream_limits is not None:
            body = EventBody(body, stream_limits.max_event_bytes, total_seconds, origin)
    return httpx2.Response(answer.status_code, headers=headers, stream=body, extensions=dict(extensions))


class RawBody(httpx2.AsyncByteStream):
    """The body as it comes over the wire."""

    def __init__(self, incoming: httpcore2.Response) -> None:
        self._incoming = incoming

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with as_httpx2():
            async for piece in self._incoming.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        await self._incoming.aclose()


class CountedBody(httpx2.AsyncByteStream):
    """The body after decompression, as long as it is within the limit. A bomb is cut here, before it is whole."""

    def __init__(self, answer: httpx2.Response, max_bytes: int, origin: Origin) -> None:
        self._answer = answer
        self._max_bytes = max_bytes
        self._origin = origin

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async with aclosing(self._answer.aiter_bytes()) as pieces:
            async for piece in pieces:
                count += len(piece)
                if count > self._max_bytes:
                    raise _too_large(self._origin, self._max_bytes)
                yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


class EventBody(httpx2.AsyncByteStream):
    """A stream of events, as long as none of them is too long and the whole does not take too long."""

    def __init__(self, body: CountedBody, max_event_bytes: int, total_seconds: float, origin: Origin) -> None:
        self._body = body
        self._max_event_bytes = max_event_bytes
        self._end = time.monotonic() + total_seconds
        self._origin = origin

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length, last = 0, b""  # of the event so far, and the end of it: a blank line may be in two pieces
        async for piece in self._body:
            if time.monotonic() > self._end:
                raise timed_out(str(self._origin))
            joined = last + piece
            begin = len(last) - length
            for end in (*(blank.end() for blank in _BLANK_LINE.finditer(joined)), len(joined)):
                length = end - begin
                if length > self._max_event_bytes:
                    raise _too_large(self._origin, self._max_event_bytes)
                begin = end
            last = joined[-2:]
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


def _too_large(origin: Origin, max_bytes: int) -> AnswerTooLarge:
    return AnswerTooLarge(f"The answer of {origin} is larger than {max_bytes:,} bytes.", limit=max_bytes)
