"""Which of the passages that search ranked are worth showing, and which answer the question by their meaning.

Every model has its own floors. Beside them a search has its own measure: a passage that is much less alike than the best one, or
hardly more than an ordinary one, is no answer, whatever its cosine. The second holds where a model finds all texts of a language
alike, and is known only when there are many candidates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from workroom.knowledge.languages import comparable
from workroom.knowledge.types import ChunkHit, KnowledgeLayer
from workroom.models.embeddings.ports import Floors

CERTAIN = 0.5  # a passage with so much of the best one's words is kept, whatever its meaning
BELOW_BEST, ABOVE_ORDINARY = 0.1, 0.1
MANY = 50  # candidates that an ordinary one can be told from
LEAST_SAID = 3  # words beside headings
HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]+")

Ranked = Sequence[tuple[ChunkHit, float]]


@dataclass(frozen=True)
class Relevance:
    """`usual`: the floors of the model that counts, for a passage without vectors; `answers`: from which cosine on a passage is
    an answer in this search, by model."""

    usual: Floors
    floors: Mapping[str, Floors]
    answers: Mapping[str, float]

    @classmethod
    def of(cls, hits: Sequence[ChunkHit], usual: Floors, floors: Mapping[str, Floors]) -> Relevance:
        by_model: dict[str, list[float]] = {}
        for hit in hits:
            if hit.model is not None and hit.meaning is not None:
                by_model.setdefault(hit.model, []).append(hit.meaning)
        return cls(usual, floors, {model: _answer(floors[model], cosines) for model, cosines in by_model.items()})

    def floor(self, hit: ChunkHit) -> float:
        floors = self.usual if hit.model is None else self.floors[hit.model]
        return floors.shared if hit.layer is KnowledgeLayer.SHARED else floors.instance

    def answer(self, hit: ChunkHit) -> float:
        return self.usual.answer if hit.model is None else self.answers[hit.model]

    def kept(self, ranked: Ranked, question_words: int) -> Ranked:
        """Without what is neither alike enough nor has enough of the words. Where a passage has all the words, one with few of
        them has to be an answer: the best of what is merely alike does not follow."""
        most = max((hit.words or 0.0 for hit, _ in ranked), default=0.0)
        exact = any(hit.words and len(hit.lexemes) >= question_words > 0 for hit, _ in ranked)
        least = self.answer if exact else self.floor

        def is_kept(hit: ChunkHit) -> bool:
            return (hit.meaning or 0.0) >= least(hit) or (most > 0 and (hit.words or 0.0) >= CERTAIN * most)

        return [(hit, score) for hit, score in ranked if is_kept(hit)]


def is_heading(text: str) -> bool:
    """Whether a passage is a heading, the number of a page or another crumb. Texts so short are alike to many questions."""
    return len(WORD.findall(comparable(HEADING.sub("", text)))) < LEAST_SAID


def _answer(floors: Floors, cosines: Sequence[float]) -> float:
    least = max(floors.answer, max(cosines) - BELOW_BEST)
    return max(least, median(cosines) + ABOVE_ORDINARY) if len(cosines) >= MANY else least
