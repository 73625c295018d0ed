"""A scripted provider that gives vectors, and lines to it that are closed in the end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.models.embeddings.places import embedder_at
from workroom.models.embeddings.remote import RemoteEmbedder
from workroom.models.line import Line
from workroom.models.testing import ScriptedProvider, embedder


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=embedder) as started:
        yield started


@pytest.fixture
async def lines() -> AsyncIterator[list[Line]]:
    opened: list[Line] = []
    yield opened
    for line in opened:
        await line.retire()


@pytest.fixture
def remote(provider: ScriptedProvider, lines: list[Line]) -> RemoteEmbedder:
    return embedder_at(provider, lines)
