"""all-MiniLM-L6-v2 itself: BERT's encoder, the mean over its tokens, length one. Loaded by `minilm.py`, late.

Texts are put behind one another without any padding: what looks at single tokens is done for all of them in one product, and
attention text by text, so that nothing has to be masked. Weights are used where they are mapped; nothing of them is copied.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.layer_norm import LayerNorm
from workroom.models.embeddings.minilm_files import CONFIG, REMEDY, TOKENIZER, WEIGHTS
from workroom.models.embeddings.normalisation import normalised
from workroom.models.embeddings.safetensors import Tensors

LONGEST_CONFIG: Final = 100_000  # bytes
LARGEST: Final = 1_000_000  # of any size in it
# What the numbers mean depends on these: with others, the vectors would be silently wrong.
FIXED: Final = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
USUAL: Final = {"position_embedding_type": "absolute"}  # what is meant where it is not said
# BERT's names of what we call otherwise.
NAMES: Final = {
    "hidden": "hidden_size",
    "heads": "num_attention_heads",
    "layers": "num_hidden_layers",
    "inner": "intermediate_size",
    "words": "vocab_size",
    "positions": "max_position_embeddings",
    "kinds": "type_vocab_size",
}

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class NetworkSizes:
    hidden: int
    heads: int
    layers: int
    inner: int
    words: int
    positions: int
    kinds: int
    epsilon: float

    @classmethod
    def read(cls, path: Path) -> NetworkSizes:
        said = _config(path)
        if any((USUAL | said).get(name) != value for name, value in FIXED.items()):
            raise ConfigurationError(f"{path.name} describes another kind of model than MiniLM. {REMEDY}")
        sizes: dict[str, Any] = {field: said.get(name) for field, name in NAMES.items()}
        epsilon: Any = said.get("layer_norm_eps")
        if not all(type(size) is int and 1 <= size <= LARGEST for size in sizes.values()) or type(epsilon) is not float:
            raise ConfigurationError(f"{path.name} does not say how large the model is. {REMEDY}")
        if sizes["hidden"] % sizes["heads"] or not 0 <= epsilon < 1:
            raise ConfigurationError(f"{path.name} has sizes that do not fit together. {REMEDY}")
        return cls(**sizes, epsilon=epsilon)


@dataclass(frozen=True)
class Dense:
    weight: Rows
    bias: Rows

    def of(self, rows: Rows) -> Rows:
        made: Rows = rows @ self.weight.T
        made += self.bias
        return made


@dataclass(frozen=True)
class EncoderLayer:
    query: Dense
    key: Dense
    value: Dense
    attended: Dense
    attended_norm: LayerNorm
    up: Dense
    down: Dense
    norm: LayerNorm
    heads: int

    def of(self, rows: Rows, ends: Sequence[int]) -> Rows:
        rows = self.attended_norm.of(rows + self.attended.of(self._attention(rows, ends)))
        return self.norm.of(rows + self.down.of(gelu(self.up.of(rows))))

    def _attention(self, rows: Rows, ends: Sequence[int]) -> Rows:
        """Each token looks at those of its own text."""
        made = np.empty_like(rows)
        asked, held, told = (self._by_head(dense.of(rows)) for dense in (self.query, self.key, self.value))
        scale = np.float32(1 / math.sqrt(asked.shape[2]))
        start = 0
        for end in ends:
            weights = (asked[:, start:end] * scale) @ held[:, start:end].transpose(0, 2, 1)
            weights -= weights.max(axis=2, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=2, keepdims=True)
            seen = weights @ told[:, start:end]
            made[start:end] = seen.transpose(1, 0, 2).reshape(end - start, -1)
            start = end
        return made

    def _by_head(self, rows: Rows) -> Rows:
        return rows.reshape(len(rows), self.heads, -1).transpose(1, 0, 2)


@dataclass(frozen=True)
class Network:
    tokenizer: Tokenizer
    words: Rows
    places: Rows  # with the kind of a first sentence, which all of ours are
    norm: LayerNorm
    layers: Sequence[EncoderLayer]

    @classmethod
    def load(cls, folder: Path, most_tokens: int) -> Network:
        """Raises ConfigurationError for whatever is wrong with its three files."""
        sizes = NetworkSizes.read(folder / CONFIG)
        given = _Given(Tensors.opened(folder / WEIGHTS, REMEDY), sizes)
        words = given.rows("embeddings.word_embeddings.weight", sizes.words, sizes.hidden)
        places = given.rows("embeddings.position_embeddings.weight", sizes.positions, sizes.hidden)
        kinds = given.rows("embeddings.token_type_embeddings.weight", sizes.kinds, sizes.hidden)
        most = min(most_tokens, sizes.positions)
        return cls(
            _tokenizer(folder / TOKENIZER, sizes.words, most),
            words,
            places[:most] + kinds[0],
            given.norm("embeddings.LayerNorm"),
            [given.layer(f"encoder.layer.{number}") for number in range(sizes.layers)],
        )

    @property
    def dimensions(self) -> int:
        return int(self.words.shape[1])

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Cut to what the model reads; with its marks for beginning and end, so never none."""
        return [found.ids for found in self.tokenizer.encode_batch_fast(list(texts))]

    def of(self, texts: Sequence[Sequence[int]]) -> Rows:
        """A row for the tokens of each text, of length one."""
        ends = np.cumsum([len(ids) for ids in texts]).tolist()
        rows = np.concatenate([self.words[ids] + self.places[: len(ids)] for ids in texts])
        rows = self.norm.of(rows)
        for layer in self.layers:
            rows = layer.of(rows, ends)
        return normalised(
            np.stack([rows[end - len(ids) : end].mean(axis=0) for ids, end in zip(texts, ends, strict=True)])
        )


@dataclass(frozen=True)
class _Given:
    """What a file has, by BERT's names."""

    tensors: Tensors
    sizes: NetworkSizes

    def rows(self, name: str, *shape: int) -> Rows:
        return np.asarray(self.tensors.tensor(name, "F32", shape))

    def dense(self, name: str, size: int, inputs: int) -> Dense:
        return Dense(self.rows(f"{name}.weight", size, inputs), self.rows(f"{name}.bias", size))

    def norm(self, name: str) -> LayerNorm:
        hidden = self.sizes.hidden
        return LayerNorm(self.rows(f"{name}.weight", hidden), self.rows(f"{name}.bias", hidden), self.sizes.epsilon)

    def layer(self, name: str) -> EncoderLayer:
        hidden, inner = self.sizes.hidden, self.sizes.inner
        return EncoderLayer(
            query=self.dense(f"{name}.attention.self.query", hidden, hidden),
            key=self.dense(f"{name}.attention.self.key", hidden, hidden),
            value=self.dense(f"{name}.attention.self.value", hidden, hidden),
            attended=self.dense(f"{name}.attention.output.dense", hidden, hidden),
            attended_norm=self.norm(f"{name}.attention.output.LayerNorm"),
            up=self.dense(f"{name}.intermediate.dense", inner, hidden),
            down=self.dense(f"{name}.output.dense", hidden, inner),
            norm=self.norm(f"{name}.output.LayerNorm"),
            heads=self.sizes.heads,
        )


def gelu(rows: Rows) -> Rows:
    """x/2 · (1 + erf(x/√2)), with erf by Abramowitz and Stegun 7.1.26, which is off by .00000015 at most: numpy has none."""
    one, half = np.float32(1), np.float32(0.5)
    t = one / (one + np.float32(0.3275911 * math.sqrt(0.5)) * np.abs(rows))
    series = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series *= t
        series += np.float32(factor)
    series *= t * np.exp(-half * rows * rows)
    made: Rows = half * rows * (one + np.copysign(one - series, rows).astype(np.float32, copy=False))
    return made


def _config(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(LONGEST_CONFIG))
    except (OSError, ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise ConfigurationError(f"{path.name} cannot be read, or is not what it should be. {REMEDY}")
    return said


def _tokenizer(path: Path, words: int, most: int) -> Tokenizer:
    try:
        made = Tokenizer.from_file(str(path))
        made.no_padding()
        made.enable_truncation(most)
        marks = made.encode("").ids
    except Exception:  # the library has no kind of its own
        raise ConfigurationError(f"{path.name} cannot be read, or is not what it should be. {REMEDY}") from None
    if not made.get_vocab() or max(made.get_vocab().values()) >= words or not 0 < len(marks) <= most:
        raise ConfigurationError(f"{path.name} belongs to another model than {WEIGHTS} beside it. {REMEDY}")
    return made
