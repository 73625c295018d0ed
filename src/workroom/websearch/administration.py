"""Settings of web search: seeing, changing, removing and testing them. The key goes in and never comes out again.

The right is that of language models: both are services elsewhere that an organisation pays, and sends its questions to.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.errors import Conflict, InvalidInput, OutgoingRefused
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.types import Action, Principal
from workroom.models.connection import hint, is_inside
from workroom.models.private_addresses import PrivateAddresses
from workroom.models.provider_input import checked_key
from workroom.net.urls import check_url, parse_url
from workroom.settings import Settings
from workroom.usage import budgets
from workroom.usage.service import FINEST
from workroom.usage.types import Spender
from workroom.vault import Sealed, Vault
from workroom.websearch import store
from workroom.websearch.connections import Stored, bound_to
from workroom.websearch.errors import NoWebSearch, PrivateSearchForbidden
from workroom.websearch.service import WebSearches, paid_search
from workroom.websearch.types import SearchProvider, SearchSettings, SearchTest

TARGET = Target("data.model")
TEST_QUESTION = "weather"
DEAREST = Decimal(100)


@dataclass(frozen=True)
class SearchInput:
    """What an administrator enters. `key` None leaves the stored one, as long as the provider is the same."""

    provider: SearchProvider
    base_url: str | None
    allow_private: bool
    price_chf: Decimal
    key: str | None = None

    def __repr__(self) -> str:
        return f"SearchInput(provider={self.provider!r})"  # a key must not get into a log by way of a traceback


class SearchAdministration:
    def __init__(self, db: Database, settings: Settings, vault: Vault, searches: WebSearches) -> None:
        self._db, self._vault, self._searches = db, vault, searches
        self._private_addresses = PrivateAddresses(db, settings)

    async def get(self, principal: Principal) -> SearchSettings | None:
        """What is asked now; its address and the end of its key for those only who may change it."""
        require(principal, Action.READ, TARGET)
        connection = await self._searches.connection(principal)
        if connection is None:
            return None
        found = connection.settings
        return found if decide(principal, Action.UPDATE, TARGET) else replace(found, base_url=None, key_hint="")

    async def put(self, principal: Principal, entered: SearchInput) -> SearchSettings:
        require(principal, Action.UPDATE, TARGET)
        allowed = await self._private_addresses.allowed()
        async with self._db.unit_of_work(principal.actor) as uow:
            before = await store.settings(uow, principal.mandate_id, lock=True)
            wanted, key = self._checked(principal.mandate_id, entered, before, private_allowed=allowed)
            await store.put_settings(uow, principal.mandate_id, wanted, key)
            await _record(uow, principal, "updated", wanted.provider)
        return wanted

    async def remove(self, principal: Principal) -> None:
        """Back to what the environment says. Doing it twice is doing it once."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            before = await store.settings(uow, principal.mandate_id, lock=True)
            if before is not None and await store.delete_settings(uow, principal.mandate_id):
                await _record(uow, principal, "removed", before[0].provider)

    async def test(self, principal: Principal) -> SearchTest:
        """Asks once what is set up, billed like any search, but whatever the budgets. Raises NoWebSearch, SearchFailed."""
        require(principal, Action.UPDATE, TARGET)
        connection = await self._searches.connection(principal)
        if connection is None or not connection.settings.readable:
            raise NoWebSearch
        if connection.forbidden:
            raise PrivateSearchForbidden
        began = time.monotonic()
        found = await self._searches.adapter(connection).search(TEST_QUESTION)
        milliseconds = round((time.monotonic() - began) * 1000)
        assert principal.user_id is not None
        spender = Spender(principal.mandate_id, principal.user_id, None)
        call = paid_search(connection).call(None)
        async with self._db.unit_of_work(principal.actor) as uow:
            await budgets.bill(uow, spender, call, Usage(), duration_ms=milliseconds)
        return SearchTest(found, milliseconds)

    def _checked(
        self, mandate_id: UUID, entered: SearchInput, before: Stored | None, *, private_allowed: bool
    ) -> Stored:
        if not (0 <= entered.price_chf <= DEAREST and entered.price_chf == entered.price_chf.quantize(FINEST)):
            raise InvalidInput(f"A price is between 0 and {DEAREST} CHF, with at most four decimals.", field="priceCHF")
        if entered.provider is SearchProvider.SEARXNG:
            url = _checked_url(entered, private_allowed=private_allowed)
            return SearchSettings(entered.provider, url, entered.allow_private, entered.price_chf), None
        if entered.base_url is not None:
            raise InvalidInput("Only a SearXNG instance has an address to enter.", field="baseUrl")
        key, key_hint = self._key(mandate_id, entered, before)
        return SearchSettings(entered.provider, None, False, entered.price_chf, True, key_hint), key

    def _key(self, mandate_id: UUID, entered: SearchInput, before: Stored | None) -> tuple[Sealed, str]:
        if entered.key:
            text = checked_key(entered.key)
            return self._vault.seal(text, bound_to(mandate_id, entered.provider)), hint(text)
        if before is not None and before[0].provider is entered.provider and before[1] is not None:
            return before[1], before[0].key_hint
        raise InvalidInput("Enter the key of your Tavily account.", field="key")


def _checked_url(entered: SearchInput, *, private_allowed: bool) -> str:
    """An address inside the own network only where that is allowed and said explicitly; a metadata service not even then."""
    if not entered.base_url:
        raise InvalidInput("Enter the address of the instance, such as http://127.0.0.1:8888.", field="baseUrl")
    try:
        parsed = parse_url(entered.base_url.strip())
        if not private_allowed and (entered.allow_private or is_inside(str(parsed))):
            raise PrivateSearchForbidden
        if not entered.allow_private and is_inside(str(parsed)):
            raise Conflict(
                "This address is inside your own network. Confirm that requests may be sent there.",
                code="privateAddress",
                field="baseUrl",
            )
        check_url(str(parsed), allowed_private=frozenset({parsed.origin}))
    except OutgoingRefused as error:
        raise InvalidInput(error.message, field="baseUrl") from None
    if "?" in parsed.target:
        raise InvalidInput("Enter the address without anything after a question mark.", field="baseUrl")
    return str(parsed).rstrip("/").removesuffix("/search")


async def _record(uow: UnitOfWork, principal: Principal, action: str, provider: SearchProvider) -> None:
    await audit.record(uow, principal, action, ChangeKind.WEB_SEARCH, principal.mandate_id, name=provider.value)
