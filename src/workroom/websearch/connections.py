"""Which search service is asked: the one an organisation has set up, else that of the environment. Keys open here only."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from workroom.models.connection import hint, is_inside, named_origin
from workroom.net.urls import parse_url
from workroom.settings import Settings
from workroom.vault import Sealed, Unopenable, Vault
from workroom.websearch import tavily
from workroom.websearch.types import DEFAULT_PRICES, SearchConnection, SearchProvider, SearchSettings

Stored = tuple[SearchSettings, Sealed | None]


def bound_to(mandate_id: UUID, provider: SearchProvider) -> str:
    """What a key is sealed for."""
    return f"{mandate_id}/webSearch/{provider}"


def of_environment(settings: Settings) -> SearchConnection | None:
    """An instance of one's own before a service that is paid."""
    if settings.search_url is not None:
        price = settings.search_price or DEFAULT_PRICES[SearchProvider.SEARXNG]
        found = SearchSettings(
            SearchProvider.SEARXNG,
            settings.search_url,
            is_inside(settings.search_url),
            price,
            environment=True,
        )
        return SearchConnection(
            found, settings.search_url, "", named_origin("WORKROOM_SEARCH_URL", settings.search_url)
        )
    if settings.tavily_key is None:
        return None
    key = settings.tavily_key.get_secret_value().strip()
    price = DEFAULT_PRICES[SearchProvider.TAVILY] if settings.search_price is None else settings.search_price
    found = SearchSettings(
        SearchProvider.TAVILY, None, False, price, has_key=True, key_hint=hint(key), environment=True
    )
    return _tavily(found, key, settings)


def of_stored(
    mandate_id: UUID, stored: Stored, settings: Settings, vault: Vault, *, private_allowed: bool
) -> SearchConnection:
    found, sealed = stored
    if found.provider is SearchProvider.TAVILY:
        try:
            key = vault.open(sealed, bound_to(mandate_id, found.provider)) if sealed else ""
        except Unopenable:
            return SearchConnection(replace(found, readable=False), tavily.URL)
        return _tavily(found, key, settings)
    assert found.base_url is not None
    if not found.private:
        return SearchConnection(found, found.base_url)
    allowed = frozenset({parse_url(found.base_url).origin}) if private_allowed else frozenset()
    return SearchConnection(found, found.base_url, "", allowed, forbidden=not private_allowed)


def _tavily(shown: SearchSettings, key: str, settings: Settings) -> SearchConnection:
    if settings.tavily_url is None:
        return SearchConnection(shown, tavily.URL, key)
    return SearchConnection(shown, settings.tavily_url, key, named_origin("WORKROOM_TAVILY_URL", settings.tavily_url))
