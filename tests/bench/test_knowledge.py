"""The benches of knowledge still run, at a size nobody would publish; and what does not depend on time holds there already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.lines import Line
from bench.retrieval import Score, Set

from bench import ingest, retrieval, search, tiny_files
from tests.contents.room import numbered_pdf

PARAGRAPHS = {
    "The harbour master lights the beacon every evening before the ferries return from the islands.": "Who lights the beacon?",
    "Bread rises because yeast turns sugar into gas while the dough rests in a warm place.": "Why does bread dough rise?",
    "The tax on imported wine was abolished by the council after a long quarrel with the merchants.": "Which tax was abolished?",
    "A violin is tuned in fifths, from the open string of G up to the thinnest one of E.": "How is a violin tuned?",
    "Glaciers carry boulders far from where they broke off and leave them in the plains.": "What do glaciers carry?",
    "The library lends books for four weeks and asks for a small fee when they are late.": "For how long are books lent?",
}


@pytest.fixture
def paragraphs(tmp_path: Path) -> Path:
    told = [{"context": text, "qas": [{"question": question}]} for text, question in PARAGRAPHS.items()]
    path = tmp_path / "small.en.json"
    path.write_text(json.dumps({"data": [{"paragraphs": told}]}), "utf-8")
    return path


def value(lines: list[Line], what: str) -> float:
    return next(line.value for line in lines if line.what.strip() == what)


@pytest.mark.requirement("H5")
async def test_both_together_find_at_least_what_words_find(paragraphs: Path) -> None:
    lines = await retrieval.measure([Set.read(paragraphs)])
    assert value(lines, "both") >= value(lines, "words") > 0.9


async def test_every_vector_is_found_at_a_constant_number_of_ways_to_the_database(paragraphs: Path) -> None:
    lines = await search.measure([60], questions=2, texts=Set.read(paragraphs))
    assert value(lines, "recall@10 of the vectors") == 1.0
    assert value(lines, "ways to the database") <= 16


async def test_a_document_is_stored_and_indexed(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(numbered_pdf(3))
    (taken,) = await ingest.measure(path, times=1, found="number")
    assert (taken.passages, taken.calls) == (3, 1)
    assert taken.indexed >= taken.first > 0


async def test_a_file_costs_no_more_ways_to_the_database_beside_ten_times_as_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiny_files, "SAMPLE", 2)
    monkeypatch.setattr(tiny_files, "TIMES", 2)
    few, many = await tiny_files.costs(100)
    for name, cost in many.items():
        # A search asks once more for the vectors of what words alone have found.
        assert cost.statements <= few[name].statements + 1, name


def test_there_are_paraphrases_in_all_languages_of_the_product() -> None:
    asked = retrieval.paraphrases()
    assert {"en", "de", "fr", "pt", "zh"} <= set(asked)
    assert all(len(questions) >= 12 for questions in asked.values())
    assert sum(map(len, asked.values())) >= 60


def test_the_first_place_is_worth_all_and_the_eleventh_nothing() -> None:
    questions = [("first", 1), ("second", 2), ("eleventh", 3), ("nowhere", 4)]
    found = Score.of([[1, 9], [9, 2], [*range(10, 20), 3], []], questions)
    assert found.ndcg == pytest.approx((1 + 0.6309) / 4, abs=1e-4)
    assert found.recall == 0.5
