"""Every provider, each with a scripted one on loopback at the other end and the real guarded client between them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.models.asking import KEY, MAKERS, Ask, Maker
from workroom.models.ports import Model
from workroom.models.testing import ScriptedProvider
from workroom.net import GuardedClient


@pytest.fixture(params=sorted(MAKERS))
def spoken(request: pytest.FixtureRequest) -> str:
    """Whose API is spoken."""
    name = request.param
    assert isinstance(name, str)
    return name


@pytest.fixture
def maker(spoken: str) -> Maker:
    return MAKERS[spoken]


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider() as started:
        yield started


@pytest.fixture
async def client(provider: ScriptedProvider) -> AsyncIterator[GuardedClient]:
    made = GuardedClient(allowed_private=frozenset({provider.origin}))
    yield made
    await made.aclose()


@pytest.fixture
def model(maker: Maker, provider: ScriptedProvider, client: GuardedClient) -> Model:
    return maker(provider.root_url, "scripted", KEY, client)


@pytest.fixture
def ask(provider: ScriptedProvider, model: Model) -> Ask:
    return Ask(provider, model)
