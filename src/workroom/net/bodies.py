"""Bodies of responses: decompressed and counted while they stream, so that a body over its limit is never held."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

import httpcore2
import httpx2

from workroom.net.errors import ResponseTooLarge
from workroom.net.failures import as_httpx2_errors, timed_out
from workroom.net.limits import StreamLimits
from workroom.net.urls import Origin

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FRAMING = ("content-length", "content-encoding", "transfer-encoding")
_BLANK_LINE = re.compile(rb"\n\r?\n|\r\r")


async def bounded_response(
    response: httpx2.Response,
    *,
    max_bytes: int,
    origin: Origin,
    extensions: Mapping[str, Any],
    total_seconds: float,
    stream_limits: StreamLimits | None = None,
) -> httpx2.Response:
    """`response` with a body that ends in `ResponseTooLarge` when it grows over `max_bytes`, or beyond `stream_limits`."""
    headers = response.headers.copy()
    if stream_limits is not None:
        max_bytes = stream_limits.max_event_bytes if response.is_error else min(max_bytes, stream_limits.max_bytes)
    if response.status_code in _REDIRECTS and "location" in headers:
        # The body of a redirect is not used, and httpx2 would load all of it before the next request.
        await response.aclose()
        for name in _FRAMING:
            headers.pop(name, None)
        body: httpx2.AsyncByteStream = httpx2.ByteStream(b"")
    elif response.request.method == "HEAD":
        body = CountedBody(response, max_bytes, origin)
    else:
        if int(headers.get("content-length", "0")) > max_bytes:
            raise _too_large(origin, max_bytes)
        if headers.pop("content-encoding", None) is not None:
            headers.pop("content-length", None)
        body = CountedBody(response, max_bytes, origin)
        if stream_limits is not None:
            body = EventBody(body, stream_limits.max_event_bytes, total_seconds, origin)
    return httpx2.Response(response.status_code, headers=headers, stream=body, extensions=dict(extensions))


class RawBody(httpx2.AsyncByteStream):
    """The body as received, still compressed."""

    def __init__(self, incoming: httpcore2.Response) -> None:
        self._incoming = incoming

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with as_httpx2_errors():
            async for piece in self._incoming.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        await self._incoming.aclose()


class CountedBody(httpx2.AsyncByteStream):
    """The decompressed body; raises ResponseTooLarge at the limit, so a decompression bomb is stopped here."""

    def __init__(self, response: httpx2.Response, max_bytes: int, origin: Origin) -> None:
        self._response = response
        self._max_bytes = max_bytes
        self._origin = origin

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async with aclosing(self._response.aiter_bytes()) as pieces:
            async for piece in pieces:
                count += len(piece)
                if count > self._max_bytes:
                    raise _too_large(self._origin, self._max_bytes)
                yield piece

    async def aclose(self) -> None:
        await self._response.aclose()


class EventBody(httpx2.AsyncByteStream):
    """A stream of server-sent events, with limits on the size of each and on the duration of the whole."""

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


def _too_large(origin: Origin, max_bytes: int) -> ResponseTooLarge:
    return ResponseTooLarge(f"The answer of {origin} is larger than {max_bytes:,} bytes.", limit=max_bytes)
