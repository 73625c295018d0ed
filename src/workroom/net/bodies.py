"""The body of an answer: decompressed and counted while it streams, so that nothing larger than agreed is ever held."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

import httpcore2
import httpx2

from workroom.net.errors import AnswerTooLarge
from workroom.net.failures import as_httpx2
from workroom.net.urls import Origin

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FRAMING = ("content-length", "content-encoding", "transfer-encoding")


async def bounded(
    answer: httpx2.Response, *, max_bytes: int, origin: Origin, extensions: Mapping[str, Any]
) -> httpx2.Response:
    """`answer` with a body that ends in `AnswerTooLarge` when it grows over `max_bytes`."""
    headers = answer.headers.copy()
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


def _too_large(origin: Origin, max_bytes: int) -> AnswerTooLarge:
    return AnswerTooLarge(f"The answer of {origin} is larger than {max_bytes:,} bytes.", limit=max_bytes)
