from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.knowledge.room import Library, library
from tests.world import World
from workroom.models.embeddings.static import StaticEmbedder


@pytest.fixture
async def shelf(world: World) -> AsyncIterator[Library]:
    """With the vectors that are always there."""
    async with library(world, StaticEmbedder()) as made:
        yield made
