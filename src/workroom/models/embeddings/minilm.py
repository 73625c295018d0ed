"""all-MiniLM-L6-v2, an embedding model of this process that is there where its files lie: English, for nothing.

It knows sentences, where the static one knows words, and takes about a hundred times as long. So one thread of its own works
for the whole process, on one piece of a few texts after the other: several files that are indexed at once take one core, the
threads everybody else uses stay free, and a question waits for a piece of another's work, not for a file.

BLAS has one thread as well (`__init__.py`). Measured on two cores that others used too, with paragraphs of 132 tokens: 15 to 17
of them per second of processor time, with two threads 8 to 12, since they wait for each other. How many tokens a piece has makes
no difference (132 to 4,096 were tried); 256 are about a tenth of a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.core.tokens import Usage
from workroom.models.embeddings.batches import is_blank
from workroom.models.embeddings.minilm_files import REMEDY
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Floors, Vector
from workroom.models.ports import ModelFailed
from workroom.models.providers.arguments import clean

if TYPE_CHECKING:  # numpy and the tokenizer take a while to load
    from workroom.models.embeddings.minilm_network import Network

# From `calibration.py`, over the questions and paragraphs of XQuAD in English (1,190): they keep 99 and 98 of 100 matching pairs,
# and 95 and 97 of 100 others away. In Spanish and Turkish the same rule gives .21 and .23: these lose nothing there either, but
# keep hardly anything away, since the language itself is most of such a vector.
FLOORS: Final = Floors(instance=0.19, shared=0.24)
INFO: Final = EmbedderInfo(
    provider="embedded",
    id="minilm-384",
    dimensions=384,
    price=FREE,
    batch=16,
    input_tokens=256,
    floors=FLOORS,
    embedded=True,
)
LABEL: Final = "MiniLM (English, on this machine)"
LONGEST_TEXT: Final = 16_000  # characters: what is beyond would not be read anyway
PIECE_TOKENS: Final = 256
_WORK = ThreadPoolExecutor(1, thread_name_prefix="minilm")


class MiniLmEmbedder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def info(self) -> EmbedderInfo:
        return INFO

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        vectors: list[Vector] = []
        count = 0
        work = partial(asyncio.get_running_loop().run_in_executor, _WORK)
        for start in range(0, len(texts), INFO.batch):
            tokens = await work(_tokens, self._folder, texts[start : start + INFO.batch])
            count += sum(map(len, tokens))
            for piece in pieces(tokens):
                vectors += await work(_vectors, self._folder, piece)
        return Embeddings(vectors, Usage(input_tokens=count))


def examined(folder: Path) -> None:
    """Raises ConfigurationError when its files are not what they should be. Takes a moment: to be called in a thread."""
    _WORK.submit(_loaded, folder).result()


def pieces(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Of as many texts as have few tokens together; a longer one is alone."""
    piece: list[list[int]] = []
    for tokens in texts:
        if piece and sum(map(len, piece)) + len(tokens) > PIECE_TOKENS:
            yield piece
            piece = []
        piece.append(tokens)
    if piece:
        yield piece


def _tokens(folder: Path, texts: Sequence[str]) -> list[list[int]]:
    """None for a text without any words."""
    found = _ready(folder).tokens([clean(text[:LONGEST_TEXT]) for text in texts])
    return [[] if is_blank(text) else tokens for text, tokens in zip(texts, found, strict=True)]


def _vectors(folder: Path, piece: Sequence[list[int]]) -> list[Vector]:
    import numpy as np

    rows = np.zeros((len(piece), INFO.dimensions), np.float32)
    if worded := [number for number, tokens in enumerate(piece) if tokens]:
        with np.errstate(all="ignore"):  # looked at below
            rows[worded] = _ready(folder).of([piece[number] for number in worded])
    if not np.isfinite(rows).all():
        raise ModelFailed(
            "MiniLM gives vectors that are no numbers. Install it again, or choose another model.", again=False
        )
    return list(rows)


def _ready(folder: Path) -> Network:
    try:
        return _loaded(folder)
    except ConfigurationError as error:
        raise ModelFailed(error.message, again=False) from None


@cache
def _loaded(folder: Path) -> Network:
    """Only in the thread that works, so once."""
    from workroom.models.embeddings.minilm_network import Network

    network = Network.load(folder, INFO.input_tokens)
    if network.dimensions != INFO.dimensions:
        raise ConfigurationError(f"It is another model than all-MiniLM-L6-v2. {REMEDY}")
    return network
