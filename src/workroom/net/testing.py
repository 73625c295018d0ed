"""A scripted internet for tests: names and addresses that lead to servers on loopback, and nowhere else.

    internet = ScriptedInternet()
    site = await internet.site("example.org", "93.184.216.34")
    site.answers["/"] = ScriptedResponse(body=b"hello")
    client = internet.client()

Everything but resolver and connector is the real client: what it refuses here, it refuses in production.
"""

from __future__ import annotations

import ssl
from ipaddress import ip_address
from typing import Any

import httpcore2

from workroom.net.addresses import IPAddress
from workroom.net.client import GuardedClient
from workroom.net.testing_site import ReceivedRequest, ScriptedResponse, ScriptedSite

__all__ = [
    "InMemoryResolver",
    "ReceivedRequest",
    "ScriptedConnector",
    "ScriptedInternet",
    "ScriptedResponse",
    "ScriptedSite",
]


class InMemoryResolver:
    """Resolves names as configured. Several answers for a name are returned in turn; the last one stays."""

    def __init__(self) -> None:
        self._answers: dict[str, list[list[IPAddress]]] = {}
        self.asked: list[str] = []

    def answer(self, host: str, *answers: list[str]) -> None:
        self._answers[host] = [[ip_address(address) for address in answer] for answer in answers]

    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        self.asked.append(host)
        answers = self._answers.get(host, [[]])
        return answers.pop(0) if len(answers) > 1 else answers[0]


class ScriptedConnector:
    """Routes chosen addresses to ports of loopback; others refuse connections. Records what was opened."""

    def __init__(self) -> None:
        self._routes: dict[tuple[IPAddress, int], int] = {}
        self._sockets = httpcore2.AnyIOBackend()
        self.opened: list[str] = []

    def route(self, address: str, port: int, *, to: int) -> None:
        self._routes[ip_address(address), port] = to

    async def connect(self, address: IPAddress, port: int, timeout: float | None) -> httpcore2.AsyncNetworkStream:
        self.opened.append(str(address))
        target = self._routes.get((address, port))
        if target is None:
            raise httpcore2.ConnectError("nobody there")
        return await self._sockets.connect_tcp("127.0.0.1", target, timeout=timeout)


class ScriptedInternet:
    def __init__(self) -> None:
        self.resolver = InMemoryResolver()
        self.connector = ScriptedConnector()
        self._sites: list[ScriptedSite] = []
        self._clients: list[GuardedClient] = []

    async def site(self, host: str, address: str, *, port: int = 80, tls: ssl.SSLContext | None = None) -> ScriptedSite:
        """A site under this name and address, reachable on this port."""
        site = await ScriptedSite.start(tls)
        self._sites.append(site)
        self.resolver.answer(host, [address])
        self.connector.route(address, port, to=site.port)
        return site

    def client(self, **options: Any) -> GuardedClient:
        client = GuardedClient(resolver=self.resolver, connector=self.connector, **options)
        self._clients.append(client)
        return client

    async def aclose(self) -> None:
        for client in self._clients:
            await client.aclose()
        for site in self._sites:
            await site.aclose()
