"""Fetches one address of a website: redirects step by step, each asked about first, and no more bytes than are wanted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from email.message import Message
from typing import cast
from urllib.parse import urljoin

from workroom.net import GuardedClient, StreamedResponse
from workroom.net.urls import CheckedUrl, parse_url
from workroom.websites.errors import PageNotRead, RedirectLoop

REDIRECTS = frozenset({301, 302, 303, 307, 308})
HUGE = 1 << 50  # the client would refuse what we read the beginning of
Permit = Callable[[CheckedUrl], Awaitable[None]]


@dataclass(frozen=True)
class Fetched:
    """`body` has at most as many bytes as were wanted; `cut`: there are more. `media_type` is empty where none is named."""

    url: CheckedUrl
    status: int
    media_type: str
    charset: str | None
    body: bytes
    cut: bool = False


async def anything(url: CheckedUrl) -> None:
    """Permits every address that the client opens at all."""


class Fetcher:
    def __init__(self, client: GuardedClient, redirects: int) -> None:
        self._client, self._redirects = client, redirects

    async def fetch(
        self,
        url: CheckedUrl,
        *,
        max_bytes: int,
        seconds: float,
        permit: Permit = anything,
        wanted: Callable[[str], bool] = lambda media_type: True,
    ) -> Fetched:
        """`permit` raises for an address that is not to be opened; of a kind that is not `wanted` no body is read."""
        for _ in range(1 + self._redirects):
            await permit(url)
            async with self._client.stream("GET", str(url), timeout=seconds, max_bytes=HUGE) as response:
                location = response.headers.get("location")
                if response.status not in REDIRECTS or location is None:
                    return await _read(url, response, max_bytes, wanted)
            url = _next(url, location)
        raise RedirectLoop(
            f"{url.origin} redirects more than {self._redirects} times, so there is no page to read. It may want cookies."
        )


def _next(url: CheckedUrl, location: str) -> CheckedUrl:
    try:
        following = parse_url(urljoin(str(url), location))
    except ValueError:
        raise PageNotRead(f"{url.origin} redirects to an address that cannot be read.") from None
    if url.origin.scheme == "https" and following.origin.scheme == "http":
        raise PageNotRead(f"{url.origin} redirects to {following.origin} without encryption. That is not followed.")
    return following


async def _read(url: CheckedUrl, response: StreamedResponse, max_bytes: int, wanted: Callable[[str], bool]) -> Fetched:
    about = Message()
    about["content-type"] = response.headers.get("content-type", "")
    media_type = about.get_content_type() if about["content-type"].strip() else ""
    charset = about.get_content_charset()
    body, cut = bytearray(), False
    if response.status < 400 and wanted(media_type):
        async with aclosing(cast(AsyncGenerator[bytes, None], aiter(response))) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > max_bytes:
                    cut = True
                    break
    return Fetched(url, response.status, media_type, charset, bytes(body[:max_bytes]), cut)
