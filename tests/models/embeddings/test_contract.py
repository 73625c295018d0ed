"""What every embedding model does, wherever it is: one vector per text, in order, of length one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.models.embeddings.places import embedder_at
from workroom.models.embeddings.minilm import MiniLmEmbedder
from workroom.models.embeddings.multilingual import MultilingualEmbedder
from workroom.models.embeddings.ports import Embedder
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.provider_client import ProviderClient
from workroom.models.testing import FixedEmbedder, ScriptedProvider
from workroom.models.types import ProviderKind

Make = Callable[[ScriptedProvider, list[ProviderClient], Path], Embedder]
MAKERS: dict[str, Make] = {
    "static": lambda provider, lines, minilm: StaticEmbedder(),
    "multilingual": lambda provider, lines, minilm: MultilingualEmbedder(),
    "minilm": lambda provider, lines, minilm: MiniLmEmbedder(minilm),
    "fixed": lambda provider, lines, minilm: FixedEmbedder(16),
    "openai": lambda provider, lines, minilm: embedder_at(provider, lines, ProviderKind.OPENAI),
    "google": lambda provider, lines, minilm: embedder_at(provider, lines, ProviderKind.GOOGLE),
    "endpoint": lambda provider, lines, minilm: embedder_at(provider, lines, ProviderKind.ENDPOINT),
}
TEXTS = [
    "The lease ends in June.",
    "Der Vertrag endet im Juni.",
    "合同六月到期。",
    "🦙 \x00 \ud83d x",
    "and a fifth one",
]


@pytest.fixture(params=MAKERS)
def subject(
    request: pytest.FixtureRequest, provider: ScriptedProvider, lines: list[ProviderClient], minilm: Path
) -> Embedder:
    return MAKERS[request.param](provider, lines, minilm)


async def test_one_vector_per_text_of_length_one(subject: Embedder) -> None:
    got = await subject.embed(TEXTS)
    assert len(got.vectors) == len(TEXTS)
    for vector in got.vectors:
        assert vector.dtype == np.float32
        assert vector.shape == (subject.info.dimensions,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert got.usage.input_tokens > 0
    assert got.usage.output_tokens == 0


async def test_the_order_is_the_texts_however_many_there_are(subject: Embedder) -> None:
    """More than one batch of each."""
    texts = [f"number {number} of many" for number in range(subject.info.batch * 2 + 1)]
    together = (await subject.embed(texts)).vectors
    for place in (0, subject.info.batch, len(texts) - 1):
        (alone,) = (await subject.embed([texts[place]])).vectors
        assert alone @ together[place] == pytest.approx(1, abs=1e-4)
        assert alone @ together[place - 1] < 0.9999


async def test_what_has_no_words_has_no_direction(subject: Embedder) -> None:
    got = await subject.embed(["", "words", " \n\t"])
    assert [bool(vector.any()) for vector in got.vectors] == [False, True, False]
    assert all(vector.shape == (subject.info.dimensions,) for vector in got.vectors)
    assert not any(vector.any() for vector in (await subject.embed(["", ""])).vectors)


async def test_nothing_asked_is_nothing_answered(subject: Embedder) -> None:
    got = await subject.embed([])
    assert list(got.vectors) == []
    assert got.usage.input_tokens == 0


async def test_a_very_long_text_is_cut_not_refused(subject: Embedder) -> None:
    (vector,) = (await subject.embed(["word " * 100_000])).vectors
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


async def test_a_question_is_as_long_as_a_passage(subject: Embedder) -> None:
    (question,) = (await subject.embed(["When does the lease end?"], query=True)).vectors
    assert question.shape == (subject.info.dimensions,)


def test_it_says_what_it_is(subject: Embedder) -> None:
    info = subject.info
    assert info.ref == f"{info.provider}/{info.id}"
    assert 0 <= info.floors.instance <= info.floors.shared < 1
    assert info.dimensions > 0
    assert info.batch > 0
    assert info.input_tokens > 0
