from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.knowledge.recognition import Tesseract
from tests.knowledge.room import Library, library
from tests.world import World
from workroom.documents import ocr
from workroom.knowledge.recognition import BY_ITSELF
from workroom.models.embeddings.static import StaticEmbedder


@pytest.fixture
async def shelf(world: World) -> AsyncIterator[Library]:
    """With the vectors that are always there."""
    async with library(world, StaticEmbedder()) as made:
        yield made


@pytest.fixture
def tesseract(monkeypatch: pytest.MonkeyPatch) -> Tesseract:
    monkeypatch.setattr(ocr, "_program", lambda: "tesseract")
    return Tesseract()


@pytest.fixture
async def desk(world: World, tesseract: Tesseract) -> AsyncIterator[Library]:
    """Where few pages are recognised by themselves."""
    async with library(world, StaticEmbedder(), by_itself=BY_ITSELF) as made:
        made.reader.parsers.ocr = tesseract.ocr  # type: ignore[method-assign]
        yield made


@pytest.fixture
async def asked(world: World, tesseract: Tesseract) -> AsyncIterator[Library]:
    """Where nothing is recognised unasked."""
    async with library(world, StaticEmbedder()) as made:
        made.reader.parsers.ocr = tesseract.ocr  # type: ignore[method-assign]
        yield made
