"""A small internet on loopback with two map services in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from workroom.geo.service_client import ServiceClient
from workroom.net.testing import ScriptedInternet, ScriptedSite

SEARCH, CADASTRE = "http://search.example.org", "http://cadastre.example.org/oereb"


@pytest.fixture
async def internet() -> AsyncIterator[ScriptedInternet]:
    internet = ScriptedInternet()
    yield internet
    await internet.aclose()


@pytest.fixture
async def search_site(internet: ScriptedInternet) -> ScriptedSite:
    return await internet.site("search.example.org", "93.184.216.34")


@pytest.fixture
async def cadastre_site(internet: ScriptedInternet) -> ScriptedSite:
    return await internet.site("cadastre.example.org", "93.184.216.35")


@pytest.fixture
def client(internet: ScriptedInternet) -> ServiceClient:
    return ServiceClient(internet.client())
