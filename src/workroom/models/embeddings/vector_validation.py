"""What came back, as vectors one can store, or a clear refusal: a wrong vector would not be noticed later."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workroom.models.embeddings.normalisation import normalised
from workroom.models.embeddings.ports import EmbeddingChanged, Vector
from workroom.models.embeddings.wire_formats import EmbeddingResponse, EmbeddingWire, Numbers
from workroom.models.ports import ModelFailed


def received(
    body: bytes, wire: EmbeddingWire, count: int, dimensions: int | None, model: str
) -> tuple[list[Vector], int | None]:
    """The vectors of an answer, and the tokens it says it used. Takes time for a large one: to be called in a thread."""
    delivery = _read(body, wire, model)
    if len(delivery.rows) != count:
        raise ModelFailed(
            f"{model} was given {count} texts and answered with {len(delivery.rows)} vectors. Try again.", again=True
        )
    rows = _matrix(delivery.rows, dimensions, model)
    return list(normalised(rows)), delivery.tokens


def _read(body: bytes, wire: EmbeddingWire, model: str) -> EmbeddingResponse:
    try:
        return wire.delivery(json.loads(body))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ModelFailed(
            f"{model} gave an answer that holds no vectors. Check that it is an embedding model, and its address.",
            again=True,
            code="noEmbeddings",
            details={"model": model},
        ) from None


def _matrix(rows: Sequence[Numbers], dimensions: int | None, model: str) -> NDArray[np.float32]:
    try:
        vectors = [_vector(numbers) for numbers in rows]
    except (ValueError, TypeError, OverflowError):
        raise _unusable(model) from None
    expected = dimensions or len(vectors[0])
    for vector in vectors:
        if vector.shape != (expected,) or not expected:
            raise EmbeddingChanged(
                f"{model} answered with vectors of {vector.size} numbers instead of {expected}. It is not the model it was. "
                "Choose it again for search by meaning, and everything is indexed anew; or set up the one it was before."
            )
    matrix = np.stack(vectors)
    if not np.isfinite(matrix).all() or not matrix.any(axis=1).all():
        raise _unusable(model)
    return matrix


def _vector(numbers: Numbers) -> NDArray[np.float32]:
    if isinstance(numbers, str):
        return np.frombuffer(base64.b64decode(numbers, validate=True), "<f4").astype(np.float32)
    with np.errstate(over="ignore"):  # too large for the type is infinite, and that is refused
        return np.array(numbers, np.float32)


def _unusable(model: str) -> ModelFailed:
    """Servers do this when a model overflows: with the same texts they do it again."""
    return ModelFailed(
        f"{model} answered with vectors that are no numbers, or nothing but zeros. Choose another model, or look at its server.",
        again=False,
    )
