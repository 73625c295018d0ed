"""What a reranking model is to us: a question and texts in, how well each answers it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from workroom.core.money import Price
from workroom.core.tokens import Usage


@dataclass(frozen=True)
class RerankerInfo:
    provider: str
    id: str
    price: Price

    @property
    def ref(self) -> str:
        """What chains and bills call it."""
        return f"{self.provider}/{self.id}"


@dataclass(frozen=True)
class Ranking:
    """One score per text, in their order: more is better, and they compare within one answer only. `assumed`: the provider
    did not say what it used, so `usage` is an estimate."""

    scores: Sequence[float]
    usage: Usage = field(default_factory=Usage)
    assumed: bool = False


class Reranker(Protocol):
    @property
    def info(self) -> RerankerInfo: ...

    async def rerank(self, query: str, texts: Sequence[str]) -> Ranking:
        """A user waits for it: it is called once, and not for long. Raises ModelFailed."""
        ...
