"""A scripted provider on loopback, the real guarded client, and the real adapter between them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.models.asking import KEY, Ask, known
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import ScriptedProvider
from workroom.net import GuardedClient


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
def model(provider: ScriptedProvider, client: GuardedClient) -> OpenAiCompatibleModel:
    return OpenAiCompatibleModel(known("scripted"), provider.base_url, KEY, client)


@pytest.fixture
def ask(provider: ScriptedProvider, model: OpenAiCompatibleModel) -> Ask:
    return Ask(provider, model)
