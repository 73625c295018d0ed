"""Ports of the guarded client: name resolution and TCP connections. Tests replace both."""

from __future__ import annotations

from typing import Protocol

from httpcore2 import AsyncNetworkStream

from workroom.net.addresses import IPAddress


class Resolver(Protocol):
    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        """All addresses of a name, preferred ones first. For an unknown name an empty list or an `OSError`."""
        ...


class Connector(Protocol):
    async def connect(self, address: IPAddress, port: int, timeout: float | None) -> AsyncNetworkStream:
        """Open a TCP connection to exactly this address. Raises httpcore2's `ConnectError` or `ConnectTimeout`."""
        ...
