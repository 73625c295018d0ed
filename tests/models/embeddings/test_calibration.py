"""Floors: where matching pairs end, in every language by itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from workroom.models.embeddings.calibration import MARGIN, Cosines, Pair, calibrate, cosines, shipped_pairs
from workroom.models.embeddings.static import INFO, StaticEmbedder
from workroom.models.testing import FixedEmbedder

ROOT = Path(os.environ.get("WORKROOM_TEST_DATA") or Path(__file__).parents[4] / "shared") / "retrieval"
NONE = np.array([], np.float32)


def measured() -> list[Pair]:
    """The questions of XQuAD with their paragraphs."""
    found: list[Pair] = []
    for path in sorted(ROOT.glob("xquad.*.json")):
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                questions = [asked["question"] for asked in paragraph["qas"]]
                found += [Pair(question, paragraph["context"], path.suffixes[0]) for question in questions]
    return found


@pytest.mark.parametrize(("kept", "floor"), [(1.0, 0.0), (0.99, 0.01), (0.98, 0.02), (0.5, 0.5)])
def test_a_floor_keeps_as_many_as_it_should(kept: float, floor: float) -> None:
    matching = np.linspace(0, 0.99, 100, dtype=np.float32) + np.float32(0.001)
    found = Cosines(matching, NONE).floor(kept)
    assert found == pytest.approx(floor)
    assert (matching >= found).mean() >= kept


def test_with_few_pairs_there_is_room_below_and_never_less_than_nothing() -> None:
    assert Cosines(np.array([0.505, 0.7], np.float32), NONE).floor(0.99) == pytest.approx(0.5 - MARGIN)
    assert Cosines(np.array([0.01, 0.7], np.float32), NONE).floor(0.99) == 0.0


async def test_the_weakest_language_decides() -> None:
    strong = [Pair(f"word{number} same{number}", f"word{number} same{number}", "en") for number in range(100)]
    weak = [Pair(f"frage{number} gleich{number}", f"frage{number} anders{number}", "de") for number in range(100)]
    embedder = FixedEmbedder(64)
    alone = await calibrate(embedder, strong)
    both = await calibrate(embedder, [*strong, *weak])
    assert alone.instance >= 0.99
    floors = await calibrate(embedder, weak)
    assert (both.instance, both.shared) == (floors.instance, floors.shared)
    assert floors.answer < both.answer < alone.answer, "what is an answer is for all languages together"
    assert both.instance <= both.shared < alone.instance


async def test_a_passage_is_embedded_once_and_other_to_none_of_its_questions() -> None:
    embedder = FixedEmbedder()
    found = await cosines(embedder, [Pair("a", "x"), Pair("b", "x"), Pair("c", "y")])
    assert embedder.calls == [["a", "b", "c"], ["x", "y"]]
    assert embedder.queries == 1
    assert (len(found.matching), len(found.others)) == (3, 3)


def test_pairs_ship_in_every_language() -> None:
    languages = [pair.language for pair in shipped_pairs()]
    assert {one: languages.count(one) for one in languages} == dict.fromkeys(("en", "de", "fr", "pt", "zh"), 6)


@pytest.mark.requirement("H5")
async def test_the_static_floors_are_what_calibration_says() -> None:
    pairs = measured()
    if not pairs:
        pytest.skip("No retrieval set here: set WORKROOM_TEST_DATA to the folder that holds `retrieval`.")
    floors = await calibrate(StaticEmbedder(), pairs)
    assert (floors.instance, floors.shared) == (INFO.floors.instance, INFO.floors.shared) == (0.15, 0.20)
    for language in {pair.language for pair in pairs}:
        found = await cosines(StaticEmbedder(), [pair for pair in pairs if pair.language == language])
        assert (found.matching >= INFO.floors.instance).mean() >= 0.99
        assert (found.matching >= INFO.floors.shared).mean() >= 0.98
