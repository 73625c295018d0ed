"""The one client for outgoing HTTP. Whatever the product asks of another server, it asks through here.

Cookies are not kept, proxies and certificates of the environment are not used, and nothing switches the guard off.
What an administrator can do is allow exact origins of the internal network (a local model, a search server); give those to
a client of its own, for the part of the product that needs them, and not to the one that opens addresses of users.
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
from workroom.net.failures import explained
from workroom.net.limits import DEFAULT_LIMITS, Limits, StreamLimits
from workroom.net.ports import Connector, Resolver
from workroom.net.responses import Response, StreamedResponse
from workroom.net.system import SystemConnector, SystemResolver
from workroom.net.transport import MAX_BYTES, GuardedTransport, LentTransport
from workroom.net.urls import Origin, check_url

# They write whole URLs and headers into the log, and keys travel in both.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class GuardedClient:
    def __init__(
        self,
        *,
        resolver: Resolver | None = None,
        connector: Connector | None = None,
        allowed_private: frozenset[Origin] = frozenset(),
        limits: Limits = DEFAULT_LIMITS,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`tls` is for certificates of an own authority; a context that does not verify is not accepted."""
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
        """The whole answer, whatever its status. `timeout` is for all of it; `max_bytes` counts the unpacked body.

        Redirects, when followed, never carry headers of the caller or content to another origin.
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
        ) as answer:
            return await answer.read()

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
        """The same, piece by piece. The body of a redirect that is not followed is empty."""
        checked = check_url(url, allowed_private=self._allowed_private)
        deadline = Deadline(self._limits.total_seconds if timeout is None else timeout)
        with explained(str(checked.origin)):
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
        """A client for a library that wants one (a provider's SDK, MCP). It may close it, and follow redirects."""
        return httpx2.AsyncClient(
            transport=LentTransport(self._transport, stream_limits),
            trust_env=False,
            timeout=self._limits.timeout(),
            max_redirects=5,
            headers={"User-Agent": f"workroom/{__version__}"},
            # A jar that takes nothing: a session of one user's request must not ride along with another's.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def aclose(self) -> None:
        await self._client.aclose()
        await self._transport.aclose()
        self._system_resolver.close()

    async def _follow(self, request: httpx2.Request, deadline: Deadline, hops: int | None) -> httpx2.Response:
        """Send, and go on as long as there is somewhere to go; `None` hops means that redirects are answers."""
        start = origin_of(request.url)
        for _ in range(1 + (hops or 0)):
            response = await deadline.send(self._client, request)
            if hops is None or response.next_request is None:
                return response
            await response.aclose()
            request = response.next_request
        raise TooManyRedirects(f"{start} redirects more than {hops} times. Use the final address instead.")
