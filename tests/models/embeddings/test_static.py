"""The embedding model that is always there: its files, what it finds, and that nobody waits for it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.models.embeddings.small_minilm import safetensors
from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.models.embeddings import static_vectors
from workroom.models.embeddings.package_files import in_package
from workroom.models.embeddings.static import INFO, StaticEmbedder
from workroom.models.embeddings.static_vectors import WEIGHTS, StaticVectors


@pytest.fixture(scope="session")
def loaded() -> StaticVectors:
    return StaticVectors.load()


@pytest.mark.requirement("C5", "H7")
async def test_what_means_the_same_is_nearer_than_what_does_not() -> None:
    question, near, far = (
        await StaticEmbedder().embed(
            [
                "How do I cancel my rental contract?",
                "The tenant may terminate the lease contract",
                "A recipe for onion soup",
            ]
        )
    ).vectors
    assert question @ near > question @ far + 0.1
    assert question @ near > INFO.floors.shared
    assert question @ far < INFO.floors.instance


def test_it_costs_nothing_and_stays_here() -> None:
    assert INFO.embedded
    assert INFO.price == FREE
    assert INFO.dimensions == 256


def test_the_weights_are_mapped_not_copied(loaded: StaticVectors) -> None:
    assert isinstance(loaded.table, np.memmap)
    assert loaded.table.shape == (32_000, 256)
    assert loaded.table.dtype == np.float16


def test_tokens_that_are_repeated_count_less_each_time(loaded: StaticVectors) -> None:
    (alone, mixed, repeated), _ = loaded.of(["soup", "soup lease", "soup lease " + "lease " * 8], 100)
    towards = [float(alone @ vector) for vector in (mixed, repeated)]
    assert towards[0] > towards[1] > float(alone @ loaded.of(["lease"], 100)[0][0])
    ids = loaded.tokenizer.encode("soup lease lease lease lease", add_special_tokens=False).ids
    table = loaded.table.astype(np.float32)
    expected = sum(np.sqrt(ids.count(one)) * table[one] for one in set(ids))
    (vector,), count = loaded.of(["soup lease lease lease lease"], 100)
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)
    assert count == len(ids)


def test_no_more_tokens_are_read_than_allowed(loaded: StaticVectors) -> None:
    (short,), count = loaded.of(["lease soup contract"], 1)
    assert count == 1
    assert not np.allclose(short, loaded.of(["lease soup contract"], 100)[0][0])


async def test_the_loop_goes_on_meanwhile() -> None:
    """Embedding is done in a thread: what else is to be done gets its turn before the vectors are there."""
    embedding = asyncio.create_task(StaticEmbedder().embed(["a text of some words " * 200] * 256))
    turns = 0
    while not embedding.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 3
    assert len(embedding.result().vectors) == 256


async def test_many_at_once_are_each_served() -> None:
    embedder = StaticEmbedder()
    answers = await asyncio.gather(*(embedder.embed([f"question {number}"]) for number in range(20)))
    again = await embedder.embed([f"question {number}" for number in range(20)])
    for answer, vector in zip(answers, again.vectors, strict=True):
        assert answer.vectors[0] @ vector == pytest.approx(1, abs=1e-5)


def test_no_code_of_the_package_is_run() -> None:
    code = (
        "import asyncio, sys\n"
        "from workroom.models.embeddings.static import StaticEmbedder\n"
        "assert 'numpy' not in sys.modules and 'tokenizers' not in sys.modules\n"
        "asyncio.run(StaticEmbedder().embed(['hello']))\n"
        "print(*(name for name in ('wordllama', 'huggingface_hub', 'requests', 'safetensors') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("numbers", [np.zeros((2, 2), "<f4"), np.zeros(0, "<f2")], ids=("kind", "none"))
def test_other_weights_are_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: NDArray[Any]
) -> None:
    path = tmp_path / "some.safetensors"
    path.write_bytes(safetensors({"embedding.weight": numbers}))
    monkeypatch.setattr(
        static_vectors, "in_package", lambda package, name: path if name == WEIGHTS else in_package(package, name)
    )
    with pytest.raises(ConfigurationError, match="Install Workroom again"):
        StaticVectors.load()


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_vectors, "WEIGHTS", "weights/none.safetensors")
    with pytest.raises(ConfigurationError, match=r"wordllama/weights/none\.safetensors is missing"):
        StaticVectors.load()
