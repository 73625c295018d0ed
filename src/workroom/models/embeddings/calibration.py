"""Floors for an embedding model, from questions and the passages that answer them.

Every model has its own scale: a cosine of .65 is a good match for one and noise for another. So matching pairs are embedded,
and the floors put where hardly any of them is lost: 1 of 100 for the own workspace, 2 of 100 for what others share, of
which less should come up unasked. In every language by itself, and the lowest counts: a floor that costs one language its
matches is too high. What else a floor lets through is for the ranking; `Cosines.others` shows how much that is. What is put
before a model unasked has to be more alike: as 70 of 100 pairs of all languages together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from workroom.models.embeddings.ports import Embedder, Floors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT_INSTANCE = 0.99
KEPT_SHARED = 0.98
KEPT_ANSWER = (
    0.7  # these pairs are harder than questions: with the multilingual model it comes to what bench.relevance found
)
FEW = 100  # pairs of a language: with fewer, the worst one seen is not the worst there is
MARGIN = 0.05  # so much lower then


@dataclass(frozen=True)
class Pair:
    question: str
    passage: str
    language: str = ""


@dataclass(frozen=True)
class Cosines:
    """Of one language: each question with its own passage, and with all others."""

    matching: NDArray[np.float32]
    others: NDArray[np.float32]

    def floor(self, kept: float) -> float:
        """The highest hundredth that keeps so many of the matching."""
        ordered = sorted(map(float, self.matching))
        lost = math.floor((1 - kept) * len(ordered) + 1e-9)
        lowest = ordered[lost] - (MARGIN if len(ordered) < FEW else 0)
        return max(0.0, math.floor(lowest * 100) / 100)


async def calibrate(embedder: Embedder, pairs: Sequence[Pair]) -> Floors:
    languages = {pair.language for pair in pairs}
    found = [await cosines(embedder, [pair for pair in pairs if pair.language == one]) for one in sorted(languages)]
    matching = sorted(float(value) for one in found for value in one.matching)
    return Floors(
        instance=min(one.floor(KEPT_INSTANCE) for one in found),
        shared=min(one.floor(KEPT_SHARED) for one in found),
        calibrated_answer=math.floor(matching[math.floor((1 - KEPT_ANSWER) * len(matching))] * 100) / 100,
    )


async def cosines(embedder: Embedder, pairs: Sequence[Pair]) -> Cosines:
    """Several questions may have the same passage: it is embedded once, and other to none of them."""
    passages = list(dict.fromkeys(pair.passage for pair in pairs))
    place = {passage: number for number, passage in enumerate(passages)}
    asked = await embedder.embed([pair.question for pair in pairs], query=True)
    held = await embedder.embed(passages)
    import numpy as np  # loaded by now

    matrix = np.stack(list(asked.vectors)) @ np.stack(list(held.vectors)).T
    own = np.zeros(matrix.shape, bool)
    own[np.arange(len(pairs)), [place[pair.passage] for pair in pairs]] = True
    return Cosines(matrix[own], matrix[~own])


@cache
def shipped_pairs() -> Sequence[Pair]:
    """A few in each of our languages: for unmeasured models, when they are chosen."""
    text = (resources.files(__package__) / "calibration.json").read_text("utf-8")
    return tuple(
        Pair(question, passage, language) for language, pairs in json.loads(text).items() for question, passage in pairs
    )
