"""What an embedding model is to us: texts in, vectors of length one out, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from workroom.core.money import ZERO, Price
from workroom.core.tokens import Usage
from workroom.models.ports import ModelFailed

if TYPE_CHECKING:  # numpy is loaded with the first vector
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
else:
    Vector = Any

CAUTION = 0.3


@dataclass(frozen=True)
class Floors:
    """Cosines below which a passage is not worth showing: of the own workspace, and of what others share. Every model
    has its own scale, so every model has its own pair. `calibrated_answer`: from which on a passage that has hardly a word of a
    question counts as its answer, where that was measured."""

    instance: float
    shared: float
    calibrated_answer: float | None = None

    @property
    def answer(self) -> float:
        """Without a measurement rather too few answers than passages that are none."""
        return self.instance + CAUTION if self.calibrated_answer is None else self.calibrated_answer


@dataclass(frozen=True)
class EmbedderInfo:
    """What is known of an embedding model before it is asked. Vectors of two models never compare."""

    provider: str
    id: str
    dimensions: int
    price: Price
    batch: int  # texts per request
    input_tokens: int  # of one text; what is longer is cut
    floors: Floors
    embedded: bool = False  # in this process: nothing leaves the machine, and it costs nothing
    multilingual: bool = False  # a question finds what is written in another language
    quick: bool = False  # hundreds of texts a second: indexing need not put off its vectors

    @property
    def ref(self) -> str:
        """What chains, bills and stored vectors call it."""
        return f"{self.provider}/{self.id}"


@dataclass(frozen=True)
class Embeddings:
    """One vector per text, in their order: float32, of length one. A text without any words has the zero vector, whose
    cosine with everything is zero. `cost` is what was billed, in CHF. `assumed`: the provider did not say what it used, or
    its price is not known, so `usage` or `cost` are estimates."""

    vectors: Sequence[Vector]
    usage: Usage = field(default_factory=Usage)
    assumed: bool = False
    cost: Decimal = ZERO


class Embedder(Protocol):
    @property
    def info(self) -> EmbedderInfo: ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        """Any number of texts; more than `info.batch` go in several requests, and when one of those fails, all of it
        does. A caller that keeps partial work asks for one batch at a time. `query`: these are questions; some
        models embed those differently. Raises ModelFailed."""
        ...


class EmbeddingChanged(ModelFailed):
    """The model gives other vectors than the ones it is known for: they must not be stored beside those."""

    code = "embeddingChanged"

    def __init__(self, message: str) -> None:
        super().__init__(message, again=False)
