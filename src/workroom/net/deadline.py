"""Deadline of a whole exchange. It also counts the caller's time between reads, but interrupts only our own waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager

import httpx2

from workroom.net.errors import OutgoingFailed
from workroom.net.failures import as_outgoing_errors, timed_out


class Deadline:
    """Sends and receives until the deadline, and raises failures as OutgoingFailed."""

    def __init__(self, seconds: float) -> None:
        self._end = asyncio.get_running_loop().time() + seconds

    async def send(self, client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
        origin = origin_of(request.url)
        with _as_outgoing_errors(origin):
            try:
                async with asyncio.timeout_at(self._end):
                    return await client.send(request, stream=True, follow_redirects=False)
            except httpx2.StreamConsumed:
                raise OutgoingFailed(f"{origin} wants content again that could be sent only once.") from None

    async def pieces(self, response: httpx2.Response) -> AsyncIterator[bytes]:
        origin = origin_of(response.request.url)
        with _as_outgoing_errors(origin):
            async with aclosing(response.aiter_bytes()) as body:
                while True:
                    async with asyncio.timeout_at(self._end):
                        piece = await anext(body, None)
                    if piece is None:
                        return
                    yield piece


@contextmanager
def _as_outgoing_errors(origin: str) -> Iterator[None]:
    try:
        with as_outgoing_errors(origin):
            yield
    except TimeoutError:
        raise timed_out(origin) from None


def origin_of(url: httpx2.URL) -> str:
    """Scheme, host and port: the part of a URL that error messages may show."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"
