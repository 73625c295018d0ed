"""The two seams of the guard: who answers for a name, and who opens the line. Tests put their own in both."""

from __future__ import annotations

from typing import Protocol

from httpcore2 import AsyncNetworkStream

from workroom.net.addresses import IPAddress


class Resolver(Protocol):
    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        """All addresses of a name, preferred ones first. An unknown name is an empty list or an `OSError`."""
        ...


class Connector(Protocol):
    async def connect(self, address: IPAddress, port: int, timeout: float | None) -> AsyncNetworkStream:
        """A TCP connection to exactly this address, or httpcore2's `ConnectError` or `ConnectTimeout`."""
        ...
