"""Web search as agents use it: ask the service that is set up, unless the same was asked a moment ago."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Protocol

from workroom.core.clock import now
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.private_addresses import PrivateAddresses
from workroom.net import GuardedClient, Origin
from workroom.settings import Settings
from workroom.usage.types import PaidRequest, Purpose
from workroom.vault import Vault
from workroom.websearch import connections, store
from workroom.websearch.connections import Stored
from workroom.websearch.errors import NoWebSearch
from workroom.websearch.ports import WebSearch
from workroom.websearch.searxng import SearxngSearch
from workroom.websearch.tavily import TavilySearch
from workroom.websearch.types import SearchConnection, SearchProvider, WebResult

KEPT = timedelta(minutes=15)


class Pay(Protocol):
    """Sends a request that costs money: see `ToolContext.pay`."""

    async def __call__(
        self, request: PaidRequest, send: Callable[[], Awaitable[Sequence[WebResult]]]
    ) -> Sequence[WebResult]: ...


class WebSearches:
    """One client for the internet, and one for each address inside the own network that is allowed."""

    def __init__(self, db: Database, settings: Settings, vault: Vault) -> None:
        self._db, self._settings, self._vault = db, settings, vault
        self._private_addresses = PrivateAddresses(db, settings)
        self._clients: dict[frozenset[Origin], GuardedClient] = {}

    async def is_set_up(self, principal: Principal) -> bool:
        """Whether agents of this organisation have the tool."""
        found = await self.connection(principal)
        return found is not None and found.usable

    async def find(self, principal: Principal, query: str, site: str | None, pay: Pay) -> Sequence[WebResult]:
        """Raises NoWebSearch, SearchFailed, BudgetExceeded."""
        connection = await self.connection(principal)
        if connection is None or not connection.usable:
            raise NoWebSearch
        question = _hash(connection, query, site)
        async with self._db.unit_of_work(principal.actor) as uow:
            known = await store.results(uow, principal.mandate_id, question, now() - KEPT)
        if known is not None:
            return known
        found = await pay(paid_search(connection), lambda: self.adapter(connection).search(query, site))
        if found or connection.settings.price_chf:  # engines that were away a moment ago may be back
            async with self._db.unit_of_work(principal.actor) as uow:
                await store.put_results(uow, principal.mandate_id, question, found, now())
        return found

    async def connection(self, principal: Principal) -> SearchConnection | None:
        """As of now: the settings may have been changed a moment ago, by another process."""
        async with self._db.unit_of_work(principal.actor) as uow:
            stored = await store.settings(uow, principal.mandate_id)
        return connections.of_environment(self._settings) if stored is None else await self.connect(principal, stored)

    async def connect(self, principal: Principal, stored: Stored) -> SearchConnection:
        allowed = await self._private_addresses.allowed()
        return connections.of_stored(principal.mandate_id, stored, self._settings, self._vault, private_allowed=allowed)

    def adapter(self, connection: SearchConnection) -> WebSearch:
        allowed = connection.allowed_private
        client = self._clients.get(allowed) or self._clients.setdefault(allowed, GuardedClient(allowed_private=allowed))
        if connection.settings.provider is SearchProvider.TAVILY:
            return TavilySearch(client, connection.url, connection.key)
        return SearxngSearch(client, connection.url)

    async def aclose(self) -> None:
        for client in self._clients.values():
            await client.aclose()


def paid_search(connection: SearchConnection) -> PaidRequest:
    """One search, as the ledger has it."""
    return PaidRequest(connection.settings.provider, "search", Purpose.SEARCH, connection.settings.price_chf)


def _hash(connection: SearchConnection, query: str, site: str | None) -> str:
    """Of the question and whom it is asked: what people search for is not stored."""
    asked = "\0".join([connection.settings.provider, connection.url, " ".join(query.split()).casefold(), site or ""])
    return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()
