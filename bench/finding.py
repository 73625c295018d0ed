"""How well questions find what they are about: `python -m bench.finding [--static]`.

Across languages: `languages.json` has thirty passages in five languages and questions about each, in its words and in others.
They lie among the English paragraphs of XQuAD, and are asked for in every language. Follow-ups: `followups.json` asks about a
paragraph of XQuAD after other questions. Answers: `answerable.json` has questions with an answer there and without one; what
counts is which passages would be put before a model. Thresholds and rules were chosen on one half of each file (every second
passage or question); the figures are those of the other half.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.knowledge.room import Library

from bench.lines import Line, show
from bench.retrieval import ROOT, Score, Set, store
from bench.room import opened, server
from workroom.knowledge.follow_ups import searched_text
from workroom.knowledge.materials import is_relevant
from workroom.knowledge.types import Passage, Query
from workroom.models.embeddings.multilingual import MultilingualEmbedder
from workroom.models.embeddings.ports import Embedder
from workroom.models.embeddings.static import StaticEmbedder

HERE = Path(__file__).parent
LANGUAGES = ("de", "en", "fr", "pt", "zh")
TIMED = 120  # paragraphs
ANSWERED = 60  # the first of answerable.json have an answer; of the others the first half is near it

Numbers = Mapping[UUID, int]


def read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((HERE / name).read_text("utf-8"))
    return rows


async def found(shelf: Library, text: str) -> list[Passage]:
    query = Query(text, shelf.world.instances["lab"].id, most_instance=40)
    return await shelf.search.find(shelf.world["bob"].principal, query)


async def ranked(shelf: Library, numbers: Numbers, text: str) -> list[int]:
    return list(dict.fromkeys(numbers[passage.file_id] for passage in await found(shelf, text)))


async def score(shelf: Library, numbers: Numbers, questions: Sequence[tuple[str, int]]) -> Score:
    return Score.of([await ranked(shelf, numbers, text) for text, _ in questions], questions)


async def across_languages(shelf: Library, numbers: Numbers, written: str) -> list[Line]:
    rows = list(enumerate(read("languages.json")))[1::2]
    lines = []
    for asked in LANGUAGES:
        questions = [(text, number) for number, row in rows for text in row["questions"][asked]]
        of = await score(shelf, numbers, questions)
        lines.append(Line(f"{asked} → {written}", of.ndcg, "nDCG", note=f"recall@10 {of.recall:.3f}"))
    return lines


async def follow_ups(shelf: Library, numbers: Numbers) -> list[Line]:
    lines = []
    for kind in ("depends", "standsAlone", "changesSubject"):
        rows = [row for row in read("followups.json")[1::2] if row["kind"] == kind]
        bare = await score(shelf, numbers, [(row["question"], row["paragraph"]) for row in rows])
        texts = [(searched_text(row["question"], row["before"]), row["paragraph"]) for row in rows]
        of = await score(shelf, numbers, texts)
        lines.append(Line(f"follow-up, {kind}, bare", bare.ndcg, "nDCG", note=f"{len(rows)} questions"))
        lines.append(Line(f"follow-up, {kind}, with what came before", of.ndcg, "nDCG"))
    return lines


async def answers(shelf: Library, numbers: Numbers) -> list[Line]:
    """Recall: of questions with an answer, those whose passage is shown. Precision: of those that are shown something."""
    rows = list(enumerate(read("answerable.json")))[1::2]
    shown: dict[int, list[int]] = {}
    for place, row in rows:
        passages = [one for one in await found(shelf, row["question"]) if is_relevant(one, row["question"])][:15]
        shown[place] = [numbers[passage.file_id] for passage in passages]
    right = sum(row["paragraph"] in shown[place] for place, row in rows if place < ANSWERED)
    near = [place for place, _ in rows if ANSWERED <= place < ANSWERED * 3 // 2]
    far = [place for place, _ in rows if place >= ANSWERED * 3 // 2]
    return [
        Line(
            "answerable: recall",
            right / sum(place < ANSWERED for place in shown),
            "recall",
            note=f"{len(rows)} questions",
        ),
        Line("answerable: precision of questions", right / max(1, sum(map(bool, shown.values()))), "of 1"),
        Line("answerable: precision of passages", right / max(1, sum(map(len, shown.values()))), "of 1"),
        Line("shown something: near an answer", sum(bool(shown[place]) for place in near) / len(near), "of 1"),
        Line("shown something: far from any", sum(bool(shown[place]) for place in far) / len(far), "of 1"),
        Line("passages shown per question", sum(map(len, shown.values())) / len(rows), ""),
    ]


async def speed(model: Embedder, paragraphs: Sequence[str]) -> Line:
    await model.embed(paragraphs[:1])  # loaded by now
    began = time.process_time()
    await model.embed(paragraphs)
    spent = time.process_time() - began
    return Line(f"{model.info.id}: paragraphs", len(paragraphs) / spent, "per core-second")


async def measure(model: Embedder) -> list[Line]:
    english = Set.read(ROOT / "xquad.en.json").paragraphs
    lines = [await speed(model, english[:TIMED])]
    async with server() as (postgres, folder):
        async with opened(postgres, folder / "english", model) as room:
            numbers = await store(room.shelf, english)
            lines += await follow_ups(room.shelf, numbers)
            lines += await answers(room.shelf, numbers)
        for written in LANGUAGES:
            async with opened(postgres, folder / written, model) as room:
                passages = [row["passages"][written] for row in read("languages.json")]
                numbers = await store(room.shelf, [*passages, *english])
                lines += await across_languages(room.shelf, numbers, written)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.finding", description="How well questions find what they are about.")
    parser.add_argument("--static", action="store_true", help="with static vectors alone")
    show(asyncio.run(measure(StaticEmbedder() if parser.parse_args().static else MultilingualEmbedder())))


if __name__ == "__main__":
    main()
