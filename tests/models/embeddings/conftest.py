"""A scripted provider that gives vectors, lines to it that are closed in the end, and a small MiniLM."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.models.embeddings.places import embedder_at
from tests.models.embeddings.small_minilm import as_wide_as_the_real_one
from workroom.models.embeddings.remote import RemoteEmbedder
from workroom.models.provider_client import ProviderClient
from workroom.models.testing import ScriptedProvider, embedder


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=embedder) as started:
        yield started


@pytest.fixture
async def lines() -> AsyncIterator[list[ProviderClient]]:
    opened: list[ProviderClient] = []
    yield opened
    for line in opened:
        await line.retire()


@pytest.fixture
def remote(provider: ScriptedProvider, lines: list[ProviderClient]) -> RemoteEmbedder:
    return embedder_at(provider, lines)


@pytest.fixture(scope="session")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one that nobody changes."""
    return as_wide_as_the_real_one().written(tmp_path_factory.mktemp("minilm") / "model")
