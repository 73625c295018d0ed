"""The HTTP client for all outgoing requests of the product.

Cookies are not kept, proxies and certificates of the environment are not used, and nothing switches the guard off.
An administrator can allow exact origins of the internal network (a local model, a search server); pass those to a separate
client for the part of the product that needs them, never to one that opens URLs from users.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from workroom import __version__
from workroom.net.deadline import Deadline, origin_of
from workroom.net.errors import TooManyRedirects
from workroom.net.failures import as_outgoing_errors
from workroom.net.limits import DEFAULT_LIMITS, ClientLimits, StreamLimits
from workroom.net.ports import Connector, Resolver
from workroom.net.responses import Response, StreamedResponse
from workroom.net.system import SystemConnector, SystemResolver
from workroom.net.transport import MAX_BYTES, GuardedTransport, SharedTransport
from workroom.net.urls import Origin, check_url

# They log whole URLs and headers, and both carry keys.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class GuardedClient:
    def __init__(
        self,
        *,
        resolver: Resolver | None = None,
        connector: Connector | None = None,
        allowed_private: frozenset[Origin] = frozenset(),
        limits: ClientLimits = DEFAULT_LIMITS,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`tls` is for certificates of a private authority; a context that does not verify is refused."""
        self._allowed_private = allowed_private
        self._limits = limits
        self._system_resolver = SystemResolver()
        self._transport = GuardedTransport(
            resolver or self._system_resolver,
            connector or SystemConnector(),
            allowed_private=allowed_private,
            limits=limits,
            tls=tls,
        )
        self._client = self.http_client()

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        json: Any = None,
        timeout: float | None = None,
        max_bytes: int | None = None,
        follow_redirects: bool = False,
        max_redirects: int = 5,
    ) -> Response:
        """Send a request and return the response, of any status. `timeout` covers all of it, `max_bytes` the decompressed body.

        Redirects, when followed, never carry the caller's headers or content to another origin.
        """
        async with self.stream(
            method,
            url,
            headers=headers,
            content=content,
            json=json,
            timeout=timeout,
            max_bytes=max_bytes,
            follow_redirects=follow_redirects,
            max_redirects=max_redirects,
        ) as response:
            return await response.read()

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        json: Any = None,
        timeout: float | None = None,
        max_bytes: int | None = None,
        follow_redirects: bool = False,
        max_redirects: int = 5,
    ) -> AsyncIterator[StreamedResponse]:
        """As `request`, with the body as a stream. The body of a redirect that is not followed is empty."""
        checked = check_url(url, allowed_private=self._allowed_private)
        deadline = Deadline(self._limits.total_seconds if timeout is None else timeout)
        with as_outgoing_errors(str(checked.origin)):
            request = self._client.build_request(
                method,
                str(checked),
                headers=headers,
                content=content,
                json=json,
                extensions={MAX_BYTES: self._limits.max_bytes if max_bytes is None else max_bytes},
            )
        response = await self._follow(request, deadline, max_redirects if follow_redirects else None)
        try:
            yield StreamedResponse(response, deadline)
        finally:
            await response.aclose()

    def http_client(self, stream_limits: StreamLimits | None = None) -> httpx2.AsyncClient:
        """An httpx2 client for a library (a provider's SDK, MCP), which may close it and follow redirects."""
        return httpx2.AsyncClient(
            transport=SharedTransport(self._transport, stream_limits),
            trust_env=False,
            timeout=self._limits.timeout(),
            max_redirects=5,
            headers={"User-Agent": f"workroom/{__version__}"},
            # A jar that accepts nothing: cookies of one user's request must not be sent with another's.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def aclose(self) -> None:
        await self._client.aclose()
        await self._transport.aclose()
        self._system_resolver.close()

    async def _follow(self, request: httpx2.Request, deadline: Deadline, hops: int | None) -> httpx2.Response:
        """Send, and follow at most `hops` redirects; with None, a redirect is the response."""
        start = origin_of(request.url)
        for _ in range(1 + (hops or 0)):
            response = await deadline.send(self._client, request)
            if hops is None or response.next_request is None:
                return response
            await response.aclose()
            request = response.next_request
        raise TooManyRedirects(f"{start} redirects more than {hops} times. Use the final address instead.")
