"""A model of MiniLM's kind that is small enough for a test, as the three files it lies in, and what it must answer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
DIGITS = "0123456789"
WORDS = (*MARKS, *DIGITS, *(f"##{digit}" for digit in DIGITS), "the", "lease", "soup", "number", "ends", "word")
Table = list[list[float]]


@dataclass
class SmallModel:
    """Numbers by lot, always the same; `change` what it says of itself before it is written."""

    hidden: int = 8
    heads: int = 2
    layers: int = 2
    inner: int = 12
    positions: int = 16
    weights: dict[str, Any] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)
    tokenizer: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = np.random.default_rng(7)
        self.weights = {name: chance.normal(0, 0.5, shape).astype("<f4") for name, shape in self._shapes()}
        self.config = {
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": self.hidden,
            "num_attention_heads": self.heads,
            "num_hidden_layers": self.layers,
            "intermediate_size": self.inner,
            "max_position_embeddings": self.positions,
            "type_vocab_size": 2,
            "vocab_size": len(WORDS),
            "layer_norm_eps": 1e-12,
        }
        self.tokenizer = _tokenizer()

    def written(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").write_bytes(safetensors(self.weights))
        (folder / "config.json").write_text(json.dumps(self.config), "utf-8")
        (folder / "tokenizer.json").write_text(json.dumps(self.tokenizer), "utf-8")
        return folder

    def _shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        hidden, inner = self.hidden, self.inner
        found = [
            ("embeddings.word_embeddings.weight", (len(WORDS), hidden)),
            ("embeddings.position_embeddings.weight", (self.positions, hidden)),
            ("embeddings.token_type_embeddings.weight", (2, hidden)),
        ]
        norms, dense = ["embeddings.LayerNorm"], list[tuple[str, int, int]]()
        for number in range(self.layers):
            layer = f"encoder.layer.{number}"
            norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
            dense += [(f"{layer}.attention.self.{part}", hidden, hidden) for part in ("query", "key", "value")]
            dense += [(f"{layer}.attention.output.dense", hidden, hidden)]
            dense += [(f"{layer}.intermediate.dense", inner, hidden), (f"{layer}.output.dense", hidden, inner)]
        shapes: list[tuple[str, tuple[int, ...]]] = [*found]
        for name in norms:
            shapes += [(f"{name}.weight", (hidden,)), (f"{name}.bias", (hidden,))]
        for name, size, inputs in dense:
            shapes += [(f"{name}.weight", (size, inputs)), (f"{name}.bias", (size,))]
        return shapes


def as_wide_as_the_real_one() -> SmallModel:
    """One layer, and vectors of 384 numbers: it passes for MiniLM."""
    return SmallModel(hidden=384, heads=12, layers=1, positions=300)


def safetensors(weights: Mapping[str, Any]) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, numbers in weights.items():
        place = [len(data), len(data) + numbers.nbytes]
        header[name] = {
            "dtype": f"F{numbers.itemsize * 8}",
            "shape": list(numbers.shape),
            "data_offsets": place,
        }
        data += numbers.tobytes()
    written = json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + data


def expected(model: SmallModel, ids: Sequence[int]) -> list[float]:
    """BERT by its definition, number by number, for one text."""
    made = _Definition(model)
    states = made.beginning(ids)
    for number in range(model.layers):
        states = made.layer(f"encoder.layer.{number}", states)
    mean = [sum(row[place] for row in states) / len(states) for place in range(model.hidden)]
    length = math.sqrt(sum(value * value for value in mean))
    return [value / length for value in mean]


@dataclass(frozen=True)
class _Definition:
    model: SmallModel

    def table(self, name: str) -> Any:
        return self.model.weights[name].astype(float).tolist()

    def beginning(self, ids: Sequence[int]) -> Table:
        words, places = (self.table(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position"))
        kind = self.table("embeddings.token_type_embeddings.weight")[0]
        rows = [
            [word + place + first for word, place, first in zip(words[one], places[number], kind, strict=True)]
            for number, one in enumerate(ids)
        ]
        return [self.norm("embeddings.LayerNorm", row) for row in rows]

    def layer(self, name: str, states: Table) -> Table:
        asked, held, told = (
            [self.dense(f"{name}.attention.self.{part}", row) for row in states] for part in ("query", "key", "value")
        )
        made = []
        for number, row in enumerate(states):
            seen = self.dense(f"{name}.attention.output.dense", self.attention(asked[number], held, told))
            row = self.norm(f"{name}.attention.output.LayerNorm", _added(row, seen))
            inner = [_gelu(value) for value in self.dense(f"{name}.intermediate.dense", row)]
            made.append(self.norm(f"{name}.output.LayerNorm", _added(row, self.dense(f"{name}.output.dense", inner))))
        return made

    def attention(self, asked: list[float], held: Table, told: Table) -> list[float]:
        size = self.model.hidden // self.model.heads
        seen = list[float]()
        for head in range(self.model.heads):
            part = slice(head * size, (head + 1) * size)
            scores = [_product(asked[part], row[part]) / math.sqrt(size) for row in held]
            shares = [math.exp(score) for score in scores]
            seen += [
                sum(share * row[place] for share, row in zip(shares, told, strict=True)) / sum(shares)
                for place in range(part.start, part.stop)
            ]
        return seen

    def dense(self, name: str, row: list[float]) -> list[float]:
        weight, bias = self.table(f"{name}.weight"), self.table(f"{name}.bias")
        return [_product(row, line) + more for line, more in zip(weight, bias, strict=True)]

    def norm(self, name: str, row: list[float]) -> list[float]:
        weight, bias = self.table(f"{name}.weight"), self.table(f"{name}.bias")
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-12)
        return [(value - mean) / spread * w + b for value, w, b in zip(row, weight, bias, strict=True)]


def _gelu(value: float) -> float:
    return value / 2 * (1 + math.erf(value / math.sqrt(2)))


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _added(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(one, other, strict=True)]


def _tokenizer() -> dict[str, Any]:
    """As the real one is written: with padding and a length of its own, which must not count."""
    marks = {mark: number for number, mark in enumerate(MARKS)}
    return {
        "version": "1.0",
        "truncation": {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {
            "strategy": {"Fixed": 8},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [
            {
                "id": number,
                "content": mark,
                "special": True,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
            }
            for mark, number in marks.items()
        ],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                mark: {"id": mark, "ids": [marks[mark]], "tokens": [mark]} for mark in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: number for number, word in enumerate(WORDS)},
        },
    }
