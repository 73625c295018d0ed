"""An embedding model for tests that ships: vectors by hash, always the same, and a memory of what it was asked.

embedder = FixedEmbedder(dimensions=16)
embedder.failures.append(ModelFailed("busy", again=True))   # the next call fails so
"""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage, estimate
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Floors
from workroom.models.ports import ModelFailed
from workroom.models.testing.hashing import hashed


class FixedEmbedder:
    """`calls` is what it was asked, call by call; `queries` how many of those were questions."""

    def __init__(
        self,
        dimensions: int = 8,
        *,
        id: str = "fixed",
        provider: str = "testing",
        price: Price = FREE,
        batch: int = 64,
        floors: Floors | None = None,
    ) -> None:
        self.info = EmbedderInfo(provider, id, dimensions, price, batch, 8_192, floors or Floors(0.0, 0.0))
        self.calls: list[list[str]] = []
        self.queries = 0
        self.failures: list[ModelFailed] = []

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        import numpy as np  # tests that make no vectors do not wait for it

        self.calls.append(list(texts))
        self.queries += query
        if self.failures:
            raise self.failures.pop(0)
        vectors = [np.array(hashed(text, self.info.dimensions), np.float32) for text in texts]
        return Embeddings(vectors, Usage(input_tokens=sum(estimate(text) for text in texts)))
