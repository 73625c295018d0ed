"""The guarded transport: what stands between any httpx2 client and the network.

For every request, of ours or of a library: the URL is checked, redirects keep to the rules of `redirects`, only the
checked host reaches the connection and the `Host` header, and the body is decompressed and counted here. Connections
are opened by `backend`, which checks the addresses.
"""

from __future__ import annotations

import ssl

import httpcore2
import httpx2

from workroom.net.backend import GuardedBackend
from workroom.net.bodies import RawBody, bounded
from workroom.net.errors import UrlRefused
from workroom.net.failures import as_httpx2
from workroom.net.limits import Limits, StreamLimits
from workroom.net.ports import Connector, Resolver
from workroom.net.redirects import Trail, drop_secrets, has_body
from workroom.net.tls import system_tls, verifying
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
        limits: Limits,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed_private = allowed_private
        self._limits = limits
        self._tls = verifying(tls or system_tls())
        self._public = self._pool(GuardedBackend(resolver, connector))
        # A pool for each, so that nothing opened for an allowed origin can ever serve a request to another.
        self._private = {
            origin: self._pool(GuardedBackend(resolver, connector, private_for=origin)) for origin in allowed_private
        }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = self._admit(request)
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
            # Nothing but the time limits: `sni_hostname` and `target` would change whom we believe and what we ask.
            extensions={"timeout": request.extensions.get("timeout", self._limits.timeout().as_dict())},
        )
        with as_httpx2():
            incoming = await self._private.get(url.origin, self._public).handle_async_request(outgoing)
        answer = httpx2.Response(incoming.status, headers=incoming.headers, stream=RawBody(incoming), request=request)
        try:
            return await bounded(
                answer,
                max_bytes=max_bytes,
                origin=url.origin,
                extensions=incoming.extensions,
                total_seconds=self._limits.total_seconds,
                stream_limits=request.extensions.get(STREAM_LIMITS),
            )
        except BaseException:
            await answer.aclose()
            raise

    async def aclose(self) -> None:
        for pool in (self._public, *self._private.values()):
            await pool.aclose()

    def _admit(self, request: httpx2.Request) -> CheckedUrl:
        """Check, and bring the request into the form in which it may leave."""
        url = check_url(str(request.url), allowed_private=self._allowed_private)
        if request.method in ("CONNECT", "TRACE"):
            raise UrlRefused(f"The method {request.method} is not used for outgoing requests.")
        trail = request.extensions.get(TRAIL, Trail(url.origin)).next(
            url.origin, has_body=has_body(request.headers), allowed_private=self._allowed_private
        )
        request.extensions[TRAIL] = trail
        if trail.left_home:
            drop_secrets(request.headers)
        # With a caller's own Host header, an allowed origin would open every other site behind the same server.
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


class LentTransport(httpx2.AsyncBaseTransport):
    """The same transport in a library's hands: closing the library's client leaves everyone else's connections open."""

    def __init__(self, transport: GuardedTransport, stream_limits: StreamLimits | None = None) -> None:
        self._transport = transport
        self._stream_limits = stream_limits

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions[STREAM_LIMITS] = self._stream_limits
        return await self._transport.handle_async_request(request)
