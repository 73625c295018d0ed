"""Runs the embedding networks of this process: one thread for all of them, on one piece of a few texts after the other.

Several files that are indexed at once take one core, the threads everybody else uses stay free, and a question waits for a
piece of another's work, not for a file. BLAS has one thread as well (`__init__.py`). Measured with MiniLM on two cores that
others used too, with paragraphs of 132 tokens: 15 to 17 of them per second of processor time, with two threads 8 to 12, since
they wait for each other. How many tokens a piece has makes no difference (132 to 4,096 were tried).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from workroom.core.errors import ConfigurationError
from workroom.core.tokens import Usage
from workroom.models.embeddings.batches import is_blank
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Vector
from workroom.models.ports import ModelFailed
from workroom.models.providers.arguments import clean

if TYPE_CHECKING:  # numpy is loaded with the first network
    import numpy as np
    from numpy.typing import NDArray

LONGEST_TEXT: Final = 16_000  # characters: what is beyond would not be read anyway
PIECE_TOKENS: Final = 256
_WORK = ThreadPoolExecutor(1, thread_name_prefix="embedding")


class TokenSequence(Protocol):
    """Of one text, as its network reads it."""

    def __len__(self) -> int: ...


class EmbeddingNetwork(Protocol):
    @property
    def dimensions(self) -> int: ...

    def tokens(self, texts: Sequence[str]) -> Sequence[Any]:
        """`TokenSequence` of each text, cut to what the network reads."""
        ...

    def of(self, tokens: Sequence[Any]) -> NDArray[np.float32]:
        """A row of length one for each text."""
        ...


class NetworkEmbedder:
    """`load` is called in the thread that works: whatever it raises as ConfigurationError fails the call."""

    def __init__(self, info: EmbedderInfo, load: Callable[[], EmbeddingNetwork]) -> None:
        self._info, self._load = info, load

    @property
    def info(self) -> EmbedderInfo:
        return self._info

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        vectors: list[Vector] = []
        count = 0
        work = partial(asyncio.get_running_loop().run_in_executor, _WORK)
        for start in range(0, len(texts), self._info.batch):
            tokens = await work(self._tokens, texts[start : start + self._info.batch])
            count += sum(map(len, tokens))
            for piece in pieces(tokens):
                vectors += await work(self._vectors, piece)
        return Embeddings(vectors, Usage(input_tokens=count))

    def examine(self) -> None:
        """Raises ConfigurationError when its files are not what they should be. Takes a moment: to be called in a thread."""
        _WORK.submit(self._load).result()

    def _tokens(self, texts: Sequence[str]) -> list[TokenSequence]:
        """None for a text without any words."""
        encoded = self._network().tokens([clean(text[:LONGEST_TEXT]) for text in texts])
        return [[] if is_blank(text) else tokens for text, tokens in zip(texts, encoded, strict=True)]

    def _vectors(self, piece: Sequence[TokenSequence]) -> list[Vector]:
        import numpy as np

        rows = np.zeros((len(piece), self._info.dimensions), np.float32)
        if worded := [number for number, tokens in enumerate(piece) if len(tokens)]:
            with np.errstate(all="ignore"):  # looked at below
                rows[worded] = self._network().of([piece[number] for number in worded])
        if not np.isfinite(rows).all():
            raise ModelFailed(
                f"{self._info.id} gives vectors that are no numbers. Install it again, or choose another model.",
                again=False,
            )
        return list(rows)

    def _network(self) -> EmbeddingNetwork:
        try:
            return self._load()
        except ConfigurationError as error:
            raise ModelFailed(error.message, again=False) from None


def pieces(texts: Sequence[TokenSequence]) -> Iterator[list[TokenSequence]]:
    """Of as many texts as have few tokens together; a longer one is alone."""
    piece: list[TokenSequence] = []
    for tokens in texts:
        if piece and sum(map(len, piece)) + len(tokens) > PIECE_TOKENS:
            yield piece
            piece = []
        piece.append(tokens)
    if piece:
        yield piece
