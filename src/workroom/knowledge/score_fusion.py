"""How what words found and what meaning found become one order: both scores normalised over the candidates, then added.
Ranks alone would forget how sure the words were (measured: docs/explanation/figures.md).

Every model has its own scale of likeness. So a cosine counts by how far it is above the model's floor, of what there is above
it: then those of several models are of one kind. With one model this changes nothing: normalised, it is the same.

Normalised, a passage with one word of ten looks as sure as one with all of them. So the more words of a question are missing,
the more meaning may count; but not for texts that a model finds alike whatever they say, as ours does with most languages. It
counts most where some words were found and most were not, which is a question in other words. Where hardly one was found the
question is in another language than the texts: a model that compares languages counts most there, any other little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from workroom.knowledge.types import ChunkHit

LEAST_ROOM = 0.01
# Cosine of an ordinary candidate: below the first a model knows the language, above the second it does not.
DISCRIMINATIVE, ALL_ALIKE = 0.2, 0.4
STEEP = 3  # one missing word of several is usual
FOREIGN = (1 / 7, 1 / 5)  # found of a question's words: below, it is hardly in the language of the texts; above, it is
REWORDED = (0.3, 0.6)  # below, it is asked in other words; above, in those of the texts
MORE = 2  # so many times what a missing word counts


@dataclass(frozen=True)
class Scale:
    """How a model's cosines are read: where being alike begins, and how much meaning counts beside words.
    `missing_words_weight`: how much more, by how many words of the question are missing; `multilingual`: also when they are
    missing because the question is in another language."""

    floor: float
    weight: float
    missing_words_weight: float = 0.0
    multilingual: bool = False

    def of(self, likeness: float) -> float:
        return (likeness - self.floor) / max(1 - self.floor, LEAST_ROOM)


def fused(
    candidates: Sequence[ChunkHit], scales: Mapping[str, Scale], question_words: int = 0
) -> list[tuple[ChunkHit, float]]:
    """Best first. What words did not find has no words in common: zero. What has no vector counts as the least alike, and
    like one of the first model. `question_words`: how many words the question has."""
    if not candidates:
        return []
    words = _normal([hit.words or 0.0 for hit in candidates])
    alike = [_alike(hit, scales) for hit in candidates]
    least = min((value for value in alike if value is not None), default=0.0)
    meanings = _normal([least if value is None else value for value in alike])
    missing = _MissingWords.of(candidates, question_words)
    by_model = {
        model: scale.weight + scale.missing_words_weight * missing.of_meaning(scale) for model, scale in scales.items()
    }
    usual = next(iter(by_model.values()), 0.0)
    weights = [by_model[hit.model] if hit.model else usual for hit in candidates]
    scored = [(hit, w + weight * m) for hit, w, weight, m in zip(candidates, words, weights, meanings, strict=True)]
    return sorted(scored, key=lambda item: (-item[1], item[0].key.file_id, item[0].key.chunk))


@dataclass(frozen=True)
class _MissingWords:
    """How much of a question no candidate has the words of, how much of that is said in other words, and how much being alike
    means here: 0 where a model finds everything alike."""

    coverage: float
    reworded: float
    discriminative: float

    @classmethod
    def of(cls, candidates: Sequence[ChunkHit], question_words: int) -> _MissingWords:
        best = max(candidates, key=lambda hit: len(hit.lexemes)).lexemes
        coverage = min(len(best) / question_words, 1.0) if question_words else 0.0
        ordinary = median([hit.meaning for hit in candidates if hit.meaning is not None] or [ALL_ALIKE])
        reworded = 0.0 if any(map(_is_exact, best)) else 1 - _between(coverage, *REWORDED)
        return cls(coverage, reworded, 1 - _between(ordinary, DISCRIMINATIVE, ALL_ALIKE))

    def of_meaning(self, scale: Scale) -> float:
        """How many times `missing_words_weight` meaning counts."""
        reworded = self.reworded if scale.multilingual else self.reworded * _between(self.coverage, *FOREIGN)
        return float((1 - self.coverage) ** STEEP + MORE * reworded) * self.discriminative


def _is_exact(lexeme: str) -> bool:
    """A number is never said in other words: where it was found, it is what was asked for."""
    return any(sign.isdigit() for sign in lexeme)


def _between(value: float, low: float, high: float) -> float:
    """0 up to the first, 1 from the second on."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _alike(hit: ChunkHit, scales: Mapping[str, Scale]) -> float | None:
    return None if hit.meaning is None or hit.model is None else scales[hit.model].of(hit.meaning)


def _normal(values: Sequence[float]) -> list[float]:
    if min(values) == max(values):
        return [0.0] * len(values)
    mean = fmean(values)
    spread = sqrt(
        fmean((value - mean) ** 2 for value in values)
    )  # `pstdev` is exact, and took a tenth of a search for it
    return [(value - mean) / spread for value in values]
