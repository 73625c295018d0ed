"""How well search finds: `python -m bench.retrieval [--every 4] [--peers] [--minilm] [SET …]`.

Every paragraph of a retrieval set (SQuAD's shape, `WORKROOM_TEST_DATA/retrieval/NAME.LANGUAGE.json`) is stored as a file of its
own; each question is searched, and the paragraph it belongs to is the one right answer. Words alone, meaning alone and both
together run over the same files, with row-level security.

Those questions were written by people who had the paragraph before them, in its words. `paraphrases.json` asks for paragraphs
of XQuAD in other words, in the language of a set or, where there is no set in it, in another language than the texts.

With `--minilm` all of it is done once more with that model (docs/how-to/models.md says where it comes from), and how many
paragraphs each model embeds in a second is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from tests.files.sending import pieces
from tests.knowledge.room import Library

from bench.lines import Line, show
from bench.peers import environment
from bench.peers.environment import Peers
from bench.room import opened, server
from workroom.files.types import NewFile
from workroom.knowledge import search as search_module
from workroom.knowledge.types import Query
from workroom.models.embeddings.local import local_offers
from workroom.models.embeddings.ports import Embedder
from workroom.models.embeddings.static import StaticEmbedder
from workroom.settings import Settings

ROOT = Path(os.environ.get("WORKROOM_TEST_DATA") or Path(__file__).parents[2] / "shared") / "retrieval"
PARAPHRASES = Path(__file__).parent / "paraphrases.json"
PARAPHRASED = "xquad"  # whose paragraphs they are about
WITHOUT = "en"  # the set that is asked in languages without one
SHOWN = 10
TIMED = 64  # paragraphs
USUAL = (search_module.STATIC_WEIGHT, search_module.MISSING_WORDS_WEIGHT, search_module.MODEL_WEIGHT)
WEIGHTS = {"words": (0.0, 0.0, 0.0), "meaning": (1e6, 0.0, 1e6), "both": USUAL}

Question = tuple[str, int]
Ranked = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Set:
    name: str
    language: str
    paragraphs: Sequence[str]
    questions: Sequence[Question]

    @classmethod
    def read(cls, path: Path, every: int = 1) -> Set:
        paragraphs: list[str] = []
        questions: list[Question] = []
        for article in json.loads(path.read_text("utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                questions += [(asked["question"], len(paragraphs)) for asked in paragraph["qas"]]
                paragraphs.append(paragraph["context"])
        name, _, language = path.stem.rpartition(".")
        return cls(name, language, paragraphs, questions[::every])

    def asked(self, beside: Sequence[Set]) -> Iterator[tuple[str, str, Sequence[Question]]]:
        """What is asked of these paragraphs: a title, the language, and the questions."""
        yield f"{self.name}.{self.language}", self.language, self.questions
        if self.name != PARAPHRASED:
            return
        others = {one.language for one in beside if one.name == PARAPHRASED}
        for language, questions in paraphrases().items():
            if language == self.language:
                yield f"{self.name}.{language}, in other words", language, questions
            elif self.language == WITHOUT and language not in others:
                yield f"{self.name}.{self.language}, asked in {language}", language, questions


def paraphrases() -> dict[str, list[Question]]:
    by_language: dict[str, list[Question]] = {}
    for one in json.loads(PARAPHRASES.read_text("utf-8")):
        by_language.setdefault(one["language"], []).append((one["question"], one["paragraph"]))
    return by_language


@dataclass(frozen=True)
class Score:
    """nDCG and recall among the first ten, with one right answer."""

    ndcg: float
    recall: float

    @classmethod
    def of(cls, ranked: Ranked, questions: Sequence[Question]) -> Score:
        places = [
            list(row[:SHOWN]).index(right)
            for row, (_, right) in zip(ranked, questions, strict=True)
            if right in row[:SHOWN]
        ]
        return cls(sum(1 / math.log2(place + 2) for place in places) / len(questions), len(places) / len(questions))


async def measure(sets: Sequence[Set], peers: Peers | None = None, models: Sequence[Embedder] = ()) -> list[Line]:
    """`models`: several are compared, and timed."""
    lines: list[Line] = []
    async with server() as (postgres, folder):
        for one in sets:
            for model in models or (StaticEmbedder(),):
                async with opened(postgres, folder / f"{one.name}.{one.language}.{model.info.id}", model) as room:
                    numbers = await store(room.shelf, one.paragraphs)
                    for title, language, questions in one.asked(sets):
                        found = await ours(room.shelf, numbers, questions)
                        theirs = _theirs(peers, language, one.paragraphs, questions) if peers else None
                        name = f"{title}, {model.info.id}" if models else title
                        lines += _lines(name, len(questions), found, theirs)
                if models:
                    lines.append(await _speed(model, one.paragraphs[:TIMED]))
    return lines


async def _speed(model: Embedder, paragraphs: Sequence[str]) -> Line:
    await model.embed(paragraphs[:1])  # loaded by now
    began = time.perf_counter()
    await model.embed(paragraphs)
    return Line(f"{model.info.id}: paragraphs", len(paragraphs) / (time.perf_counter() - began), "per second")


async def store(shelf: Library, paragraphs: Sequence[str]) -> dict[UUID, int]:
    """By the file of each, its number."""
    files, principal = shelf.world.services.files, shelf.world["bob"].principal
    instance_id, numbers = shelf.world.instances["lab"].id, {}
    for number, text in enumerate(paragraphs):
        file = await files.store(principal, instance_id, NewFile(f"{number:04}.txt"), pieces(text.encode()))
        numbers[file.id] = number
    await shelf.settle()
    return numbers


async def ours(shelf: Library, numbers: dict[UUID, int], questions: Sequence[Question]) -> dict[str, Score]:
    scores = {}
    try:
        for name, weights in WEIGHTS.items():
            _weigh(*weights)
            scores[name] = Score.of([await _ranked(shelf, numbers, text) for text, _ in questions], questions)
    finally:
        _weigh(*USUAL)
    return scores


def _weigh(static: float, missing_words: float, model: float) -> None:
    search_module.STATIC_WEIGHT, search_module.MISSING_WORDS_WEIGHT, search_module.MODEL_WEIGHT = (
        static,
        missing_words,
        model,
    )


async def _ranked(shelf: Library, numbers: dict[UUID, int], text: str) -> Sequence[int]:
    principal, instance_id = shelf.world["bob"].principal, shelf.world.instances["lab"].id
    passages = await shelf.search.find(principal, Query(text, instance_id, most_instance=40))
    return list(dict.fromkeys(numbers[passage.file_id] for passage in passages))


def _theirs(peers: Peers, language: str, paragraphs: Sequence[str], questions: Sequence[Question]) -> Score:
    asked = {"language": language, "paragraphs": paragraphs, "questions": [text for text, _ in questions]}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(asked, file)
        file.flush()
        return Score.of(peers.ask("bench.peers.searching", file.name), questions)


def _lines(title: str, count: int, found: dict[str, Score], theirs: Score | None) -> Iterator[Line]:
    yield Line(title, count, "questions")
    if theirs is not None:
        yield Line("  bm25s", theirs.ndcg, "nDCG", note=f"recall@10 {theirs.recall:.3f}")
    for name, score in found.items():
        least = max(found["words"].ndcg, found["meaning"].ndcg) if name == "both" else None
        yield Line(f"  {name}", score.ndcg, "nDCG", least, f"recall@10 {score.recall:.3f}", at_least=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.retrieval", description="How well search finds.")
    parser.add_argument("--every", type=int, default=1, help="take every nth question")
    parser.add_argument("--peers", action="store_true", help="install another search and measure it too")
    parser.add_argument(
        "--minilm", action="store_true", help="compare the static model with MiniLM, which must be there"
    )
    parser.add_argument("sets", nargs="*", type=Path, default=sorted(ROOT.glob("*.json")))
    chosen = parser.parse_args()
    sets = [Set.read(path, chosen.every) for path in chosen.sets]
    with environment.installed(environment.SEARCHERS) if chosen.peers else nullcontext() as peers:
        show(asyncio.run(measure(sets, peers, _compared() if chosen.minilm else ())))


def _compared() -> Sequence[Embedder]:
    offers = local_offers(Settings.load().minilm).values()
    if not offers:
        raise SystemExit("MiniLM is not here. See docs/how-to/models.md.")
    return [StaticEmbedder(), *(offer.embedder for offer in offers)]


if __name__ == "__main__":
    main()
