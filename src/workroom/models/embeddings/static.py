"""The quickest embedding model of this process: static vectors, for nothing. No network, no GPU.

It knows words, not sentences, and English better than the rest: beside full text it finds what is said in other words, by
itself it is a poor search for other languages. The vectors are loaded by the first call, off the event loop, once per process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from workroom.core.money import FREE
from workroom.core.tokens import Usage
from workroom.models.embeddings.batches import is_blank
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Floors, Vector
from workroom.models.providers.arguments import clean

if TYPE_CHECKING:  # numpy and the tokenizer take a while to load
    from workroom.models.embeddings.static_vectors import StaticVectors

# From `calibration.py`, over the questions and paragraphs of XQuAD in English, Spanish and Turkish (1,190 each): the
# highest hundredths that keep 99 and 98 of 100 matching pairs in every one of them. They keep 91 and 96 of 100 others away
# in English. In other languages hardly any: the language itself is most of such a vector, and two Spanish texts about
# different things have a cosine of .5. There the ranking decides, and full text beside it. The third is from `bench.finding`.
FLOORS = Floors(instance=0.15, shared=0.20, calibrated_answer=0.35)
INFO = EmbedderInfo(
    provider="embedded",
    id="static-256",  # another one whenever the vectors change: stored ones must never be compared with new ones
    dimensions=256,
    price=FREE,
    batch=64,
    input_tokens=8_192,
    floors=FLOORS,
    embedded=True,
    quick=True,
)
LABEL = "Static vectors (quick, on this machine)"
LONGEST_TEXT = 64_000  # characters: what is beyond would not be read anyway, and counting its tokens costs as well
_loading = threading.Lock()


class StaticEmbedder:
    @property
    def info(self) -> EmbedderInfo:
        return INFO

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        vectors: list[Vector] = []
        tokens = 0
        for start in range(
            0, len(texts), INFO.batch
        ):  # one piece of work per batch: others have their turn between them
            rows, count = await asyncio.to_thread(_embedded, texts[start : start + INFO.batch])
            vectors += rows
            tokens += count
        return Embeddings(vectors, Usage(input_tokens=tokens))


def preload() -> None:
    """Takes half a second: for processes that will need it, while they start, off their loop."""
    with _loading:
        _loaded()


def _embedded(texts: Sequence[str]) -> tuple[list[Vector], int]:
    preload()
    readable = ["" if is_blank(text) else clean(text[:LONGEST_TEXT]) for text in texts]
    rows, count = _loaded().of(readable, INFO.input_tokens)
    return list(rows), count


@cache
def _loaded() -> StaticVectors:
    from workroom.models.embeddings.static_vectors import StaticVectors

    return StaticVectors.load()
