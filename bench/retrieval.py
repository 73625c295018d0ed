"""How well search finds, and how fast: `python -m bench.retrieval [--every 4]`.

Every paragraph of a retrieval set (SQuAD's shape, `WORKROOM_TEST_DATA/retrieval/*.json`) is stored as a file of its own; each
question is searched, and the paragraph it belongs to is the one right answer. Words alone, meaning alone and both together
run over the same files, with row-level security.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from tests.knowledge.room import Library, library
from tests.world import World, make_world

from bench.lines import Line, show
from workroom.bootstrap import open_services
from workroom.db.testing import TestPostgres
from workroom.files.service import Files
from workroom.files.types import NewFile, OnConflict
from workroom.knowledge import search as search_module
from workroom.knowledge.types import Query
from workroom.models.embeddings.static import StaticEmbedder
from workroom.settings import Settings

ROOT = Path(os.environ.get("WORKROOM_TEST_DATA") or Path(__file__).parents[2] / "shared") / "retrieval"
SHOWN = 10
WEIGHTS = {"words": 0.0, "meaning": 1e6, "both": search_module.STATIC_WEIGHT}


@dataclass(frozen=True)
class Set:
    paragraphs: Sequence[str]
    questions: Sequence[tuple[str, int]]

    @classmethod
    def read(cls, path: Path, every: int) -> Set:
        paragraphs: list[str] = []
        questions: list[tuple[str, int]] = []
        for article in json.loads(path.read_text("utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                questions += [(asked["question"], len(paragraphs)) for asked in paragraph["qas"]]
                paragraphs.append(paragraph["context"])
        return cls(paragraphs, questions[::every])


async def store(world: World, shelf: Library, paragraphs: Sequence[str]) -> dict[UUID, int]:
    files: Files = world.services.files
    who, instance = world["bob"].principal, world.instances["lab"].id
    numbers = {}
    for number, text in enumerate(paragraphs):

        async def chunks(text: str = text):  # type: ignore[no-untyped-def]
            yield text.encode()

        new = NewFile(f"{number:04}.txt", on_conflict=OnConflict.RENAME)
        numbers[(await files.store(who, instance, new, chunks())).id] = number
    await shelf.settle()
    return numbers


async def score(shelf: Library, numbers: dict[UUID, int], questions: Sequence[tuple[str, int]]) -> tuple[float, float]:
    """nDCG and recall among the first ten files."""
    gain, found = 0.0, 0
    who, instance = shelf.world["bob"].principal, shelf.world.instances["lab"].id
    for text, right in questions:
        passages = await shelf.search.find(who, Query(text, instance, most_instance=40))
        ranked = list(dict.fromkeys(numbers[passage.file_id] for passage in passages))[:SHOWN]
        if right in ranked:
            found += 1
            gain += 1 / math.log2(ranked.index(right) + 2)
    return gain / len(questions), found / len(questions)


async def measure(every: int, sets: Sequence[Path]) -> list[Line]:
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        postgres = TestPostgres(Path(folder) / "pg")
        await postgres.start()
        try:
            for path in sets:
                lines += await _one(postgres, path, every, Path(folder) / path.stem)
        finally:
            await postgres.stop()
    return lines


async def _one(postgres: TestPostgres, path: Path, every: int, data: Path) -> list[Line]:
    found = Set.read(path, every)
    settings = Settings(data=data, login="password", port=8420)
    address = await postgres.fresh()
    lines = []
    async with open_services(settings, address, 8420) as services:
        world = await make_world(services)
        async with library(world, StaticEmbedder()) as shelf:
            numbers = await store(world, shelf, found.paragraphs)
            note = f"{len(found.paragraphs)} paragraphs, {len(found.questions)} questions"
            for name, weight in WEIGHTS.items():
                search_module.STATIC_WEIGHT = weight
                ndcg, recall = await score(shelf, numbers, found.questions)
                lines.append(Line(f"{path.stem}, {name}", ndcg, "nDCG", note=f"recall@10 {recall:.3f}; {note}"))
    await postgres.drop(address)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.retrieval", description="How well search finds.")
    parser.add_argument("--every", type=int, default=1, help="take every nth question")
    parser.add_argument("sets", nargs="*", type=Path, default=sorted(ROOT.glob("*.json")))
    chosen = parser.parse_args()
    show(asyncio.run(measure(chosen.every, chosen.sets)))


if __name__ == "__main__":
    main()
