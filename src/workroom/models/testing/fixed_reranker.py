"""A reranking model for tests that ships: a text scores by how many words of the question it has, unless it is told else.

reranker = FixedReranker()
reranker.failures.append(ModelFailed("busy", again=True))   # the next call fails so
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage, estimate
from workroom.models.ports import ModelFailed
from workroom.models.reranking.ports import Ranking, RerankerInfo


class FixedReranker:
    """`calls` is what it was asked; `scores` says what a text with certain words in it is worth."""

    def __init__(self, scores: Mapping[str, float] | None = None, *, price: Price = FREE) -> None:
        self.info = RerankerInfo("testing", "fixed-reranker", price)
        self.scores = scores
        self.calls: list[tuple[str, list[str]]] = []
        self.failures: list[ModelFailed] = []

    async def rerank(self, query: str, texts: Sequence[str]) -> Ranking:
        self.calls.append((query, list(texts)))
        if self.failures:
            raise self.failures.pop(0)
        return Ranking([self._score(query, text) for text in texts], Usage(sum(map(estimate, texts))))

    def _score(self, query: str, text: str) -> float:
        if self.scores is not None:
            return next((score for words, score in self.scores.items() if words in text), 0.0)
        return float(len(set(query.casefold().split()) & set(text.casefold().split())))
