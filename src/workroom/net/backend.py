"""Network backend that checks addresses: every outgoing HTTP connection of the product is opened by `connect_tcp` below.

A name is resolved once, all of its addresses are checked, and the connection goes to one of exactly those. There is
no second lookup, so DNS rebinding between check and connect has no effect. TLS is added by httpcore2
with the name, not the address, in SNI and certificate check.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from ipaddress import ip_address

import httpcore2

from workroom.net.addresses import IPAddress
from workroom.net.errors import AddressRefused
from workroom.net.ports import Connector, Resolver
from workroom.net.urls import Origin, check_address


class NameNotFound(httpcore2.ConnectError):
    """The name has no address. An httpcore2 error, so that libraries treat it as the network failure that it is."""


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to global addresses only. With `private_for`, it serves that one origin, also in the internal network."""

    def __init__(self, resolver: Resolver, connector: Connector, *, private_for: Origin | None = None) -> None:
        self._resolver = resolver
        self._connector = connector
        self._private_for = private_for

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        allowed = self._private_for
        if allowed is not None and (str(allowed.host), allowed.port) != (host, port):
            raise AddressRefused(f"Only {allowed} is allowed here, not port {port} of {host}.")
        try:
            async with asyncio.timeout(timeout) as clock:
                addresses = await self._resolve(host, port)
                for address in addresses:
                    check_address(address, host=host, private=allowed is not None)
                return await self._connect(addresses, port, clock)
        except TimeoutError as slow:
            raise httpcore2.ConnectTimeout from slow

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused("Sockets of this machine are never opened as an outgoing address.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _resolve(self, host: str, port: int) -> list[IPAddress]:
        try:
            return [ip_address(host)]
        except ValueError:
            pass
        try:
            addresses = await self._resolver.resolve(host, port)
        except OSError as unknown:
            if isinstance(unknown, TimeoutError):
                raise
            raise NameNotFound(str(unknown)) from unknown
        if not addresses:
            raise NameNotFound(f"no address for {host}")
        return addresses

    async def _connect(
        self, addresses: list[IPAddress], port: int, clock: asyncio.Timeout
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address that answers. Each gets a share of the remaining time: a dead one does not use it up."""
        failure: Exception = httpcore2.ConnectError()
        for tried, address in enumerate(addresses):
            end = clock.when()
            left = None if end is None else end - asyncio.get_running_loop().time()
            try:
                return await self._connector.connect(address, port, left and left / (len(addresses) - tried))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure
