"""Embedding models that do something else meanwhile, or fail when they are told to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tests.knowledge.room import Library
from workroom.models.embeddings.ports import Embeddings
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.ports import ModelFailed
from workroom.models.testing import FixedEmbedder

BATCH = 2


class Interrupting(StaticEmbedder):
    """Does something once, when it is asked for the first time; nobody has read the end of the document by then."""

    def __init__(self, then: Callable[[], Awaitable[None]]) -> None:
        self._then: Callable[[], Awaitable[None]] | None = then

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if self._then is not None and not query:
            then, self._then = self._then, None
            await then()
        return await super().embed(texts, query=query)


class Other(FixedEmbedder):
    """Another model, which works so many times, and then fails as it is told; `between` is called before each batch."""

    def __init__(self, works: int = 1_000, error: Exception | None = None, id: str = "other") -> None:
        super().__init__(384, id=id, batch=BATCH)
        self.works, self.error = works, error or ModelFailed("The embedding service is away.", again=True)
        self.texts = 0

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if not query:
            await self.between()
            if not self.works:
                raise self.error
            self.works -= 1
            self.texts += len(texts)
        return await super().embed(texts, query=query)

    async def between(self) -> None: ...


async def chosen(shelf: Library, embedder: Any) -> int:
    shelf.embedders.choose(embedder)
    return await shelf.outdated.notice()
