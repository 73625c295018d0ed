"""The vectors of `multilingual.py`: those of the Universal Sentence Encoder and the static ones side by side.

The cosine of two is then the weighted sum of both cosines. A text in a language the encoder does not speak has static vectors
alone. The share of the static ones is to be measured on questions it was not chosen on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workroom.models.embeddings.spoken_languages import is_spoken
from workroom.models.embeddings.static_vectors import StaticVectors
from workroom.models.embeddings.universal_encoder import SIZE, UniversalEncoder

STATIC_SHARE: Final = 0.2  # of the cosine


@dataclass(frozen=True)
class TextTokens:
    """`universal` is empty for a text the encoder does not speak the language of."""

    text: str
    universal: Sequence[int]
    count: int

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True)
class MultilingualNetwork:
    universal: UniversalEncoder
    static: StaticVectors
    most_tokens: int

    @classmethod
    def load(cls, most_tokens: int) -> MultilingualNetwork:
        return cls(UniversalEncoder.load(most_tokens), StaticVectors.load(), most_tokens)

    @property
    def dimensions(self) -> int:
        return SIZE + int(self.static.table.shape[1])

    def tokens(self, texts: Sequence[str]) -> list[TextTokens]:
        encoded = self.universal.tokens(texts)
        return [
            TextTokens(text, ids if is_spoken(text) else (), len(ids)) for text, ids in zip(texts, encoded, strict=True)
        ]

    def of(self, tokens: Sequence[TextTokens]) -> NDArray[np.float32]:
        rows = np.zeros((len(tokens), self.dimensions), np.float32)
        rows[:, SIZE:], _ = self.static.of([one.text for one in tokens], self.most_tokens)
        if spoken := [number for number, one in enumerate(tokens) if one.universal]:
            rows[spoken, :SIZE] = self.universal.of([tokens[number].universal for number in spoken])
            rows[spoken, :SIZE] *= np.float32(np.sqrt(1 - STATIC_SHARE))
            rows[spoken, SIZE:] *= np.float32(np.sqrt(STATIC_SHARE))
        return rows
