"""The guarded transport between any httpx2 client and the network.

For every request, of ours or of a library: the URL is checked, redirects keep to the rules of `redirects`, only the
checked host reaches the connection and the `Host` header, and the body is decompressed and counted here. Connections
are opened by `backend`, which checks the addresses.
"""

from __future__ import annotations

import ssl

import httpcore2
import httpx2

from workroom.net.backend import GuardedBackend
from workroom.net.bodies import RawBody, bounded_response
from workroom.net.errors import UrlRefused
from workroom.net.failures import as_httpx2_errors
from workroom.net.limits import ClientLimits, StreamLimits
from workroom.net.ports import Connector, Resolver
from workroom.net.redirects import RedirectTrail, drop_secrets, has_body
from workroom.net.tls import require_verification, system_tls
from workroom.net.urls import CheckedUrl, Origin, check_url

TRAIL = "workroom.trail"
MAX_BYTES = "workroom.max_bytes"
STREAM_LIMITS = "workroom.stream_limits"


class GuardedTransport(httpx2.AsyncBaseTransport):
    def __init__(
        self,
        resolver: Resolver,
        connector: Connector,
        *,
        allowed_private: frozenset[Origin],
        limits: ClientLimits,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed_private = allowed_private
        self._limits = limits
        self._tls = require_verification(tls or system_tls())
        self._public = self._pool(GuardedBackend(resolver, connector))
        # A pool per origin, so that a connection opened for an allowed origin never serves a request to another.
        self._private = {
            origin: self._pool(GuardedBackend(resolver, connector, private_for=origin)) for origin in allowed_private
        }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = self._checked_url(request)
        max_bytes = request.extensions.get(MAX_BYTES, self._limits.max_bytes)
        outgoing = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=url.origin.scheme,
                host=str(url.origin.host),
                port=url.origin.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            # Only the timeouts: `sni_hostname` and `target` would change which certificate is accepted and what is requested.
            extensions={"timeout": request.extensions.get("timeout", self._limits.timeout().as_dict())},
        )
        with as_httpx2_errors():
            incoming = await self._private.get(url.origin, self._public).handle_async_request(outgoing)
        response = httpx2.Response(incoming.status, headers=incoming.headers, stream=RawBody(incoming), request=request)
        try:
            return await bounded_response(
                response,
                max_bytes=max_bytes,
                origin=url.origin,
                extensions=incoming.extensions,
                total_seconds=self._limits.total_seconds,
                stream_limits=request.extensions.get(STREAM_LIMITS),
            )
        except BaseException:
            await response.aclose()
            raise

    async def aclose(self) -> None:
        for pool in (self._public, *self._private.values()):
            await pool.aclose()

    def _checked_url(self, request: httpx2.Request) -> CheckedUrl:
        """Check the URL and the redirect, and set or drop headers accordingly."""
        url = check_url(str(request.url), allowed_private=self._allowed_private)
        if request.method in ("CONNECT", "TRACE"):
            raise UrlRefused(f"The method {request.method} is not used for outgoing requests.")
        trail = request.extensions.get(TRAIL, RedirectTrail(url.origin)).next(
            url.origin, has_body=has_body(request.headers), allowed_private=self._allowed_private
        )
        request.extensions[TRAIL] = trail
        if trail.left_first_origin:
            drop_secrets(request.headers)
        # A caller's own Host header would reach every other site behind the same server through an allowed origin.
        request.headers["Host"] = url.origin.netloc
        return url

    def _pool(self, backend: GuardedBackend) -> httpcore2.AsyncConnectionPool:
        return httpcore2.AsyncConnectionPool(
            ssl_context=self._tls,
            max_connections=self._limits.max_connections,
            max_keepalive_connections=self._limits.idle_connections,
            keepalive_expiry=self._limits.idle_seconds,
            network_backend=backend,
        )


class SharedTransport(httpx2.AsyncBaseTransport):
    """The transport as lent to a library: closing the library's client leaves the shared connections open."""

    def __init__(self, transport: GuardedTransport, stream_limits: StreamLimits | None = None) -> None:
        self._transport = transport
        self._stream_limits = stream_limits

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions[STREAM_LIMITS] = self._stream_limits
        return await self._transport.handle_async_request(request)
