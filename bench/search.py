"""How long a search takes beside a bare scan of the same vectors, and whether it finds all of them.

python -m bench.search [--chunks 10000 200000] [--questions 60]

The scan is one statement of the administrator, without row-level security, over exactly the rows somebody may read, and gives
as many candidates. Search and scan take turns, each question once for both, so that what else the machine does hits both.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bench import shelves
from bench.lines import Line, show
from bench.retrieval import ROOT, Set
from bench.room import Room, opened, server
from bench.statements import counted
from workroom.files.access import reach
from workroom.identity.types import Action
from workroom.knowledge.search import CANDIDATES
from workroom.knowledge.store import search_queries
from workroom.knowledge.store.search_queries import SearchScope
from workroom.knowledge.store.vectors import literal
from workroom.knowledge.types import ChunkKey, Query
from workroom.models.embeddings.static import INFO, StaticEmbedder

MS = 1000
WARM = 3  # questions nobody counts
NEAREST = 10
SIZES = (10_000, 200_000)
SCAN = f"""select file_id, chunk from vectors_{INFO.dimensions} where mandate_id = $1 and instance_id = $2 and file_id = any($3)
order by vector <#> (select $4::text::halfvec) limit {CANDIDATES}"""


async def measure(sizes: Sequence[int], questions: int, texts: Set) -> list[Line]:
    """Words are those of `texts`, and its questions are asked."""
    lines: list[Line] = []
    async with server() as (postgres, folder):
        for size in sizes:
            async with opened(postgres, folder / str(size)) as room:
                keys, held = await _fill(room, texts.paragraphs, size)
                step = max(1, len(texts.questions) // (questions + WARM))
                asked = [text for text, _ in texts.questions[::step]][: questions + WARM]
                lines += await _lines(room, size, asked, keys, held)
    return lines


async def _fill(room: Room, texts: Sequence[str], size: int) -> tuple[list[ChunkKey], NDArray[np.float32]]:
    """A sixth as much around it, three times."""
    writer, world = shelves.Writer(texts), room.shelf.world
    for other in await shelves.around(room):
        await shelves.fill(room, other, writer, size // 6)
    filled = await shelves.fill(room, shelves.own(world), writer, size)
    await room.admin.execute("vacuum analyze")
    return filled


async def _lines(
    room: Room, size: int, texts: Sequence[str], keys: Sequence[ChunkKey], held: NDArray[np.float32]
) -> list[Line]:
    bob, instance_id = room.shelf.world["bob"].principal, room.shelf.world.instances["lab"].id
    files, search = list(dict.fromkeys(key.file_id for key in keys)), room.shelf.search
    taken: dict[str, list[float]] = {"scan": [], "search": [], "words": []}
    statements, recall = set[int](), []
    scan = await room.admin.prepare(SCAN)
    for number, text in enumerate(texts):
        (vector,) = (await StaticEmbedder().embed([text], query=True)).vectors
        asking = Query(text, instance_id)
        jobs: dict[str, Callable[[], Awaitable[object]]] = {
            "scan": partial(scan.fetch, bob.mandate_id, instance_id, files, literal(vector)),
            "search": partial(search.find, bob, asking),
            "words": partial(search.find, bob, replace(asking, meaning=False)),
        }
        for name, job in jobs.items():
            with counted() as asked:
                start = time.perf_counter()
                await job()
                seconds = time.perf_counter() - start
            if number >= WARM:
                taken[name].append(seconds)
                if name == "search":
                    statements.add(asked.count)
        recall.append(await _recall(room, keys, held, vector))
    return _table(size, taken, statements, recall)


def _table(size: int, taken: dict[str, list[float]], statements: set[int], recall: Sequence[float]) -> list[Line]:
    scan, search, words = (statistics.median(taken[name]) for name in ("scan", "search", "words"))
    return [
        Line(f"{size:,} passages: bare scan, p50", scan * MS, "ms", note=f"p95 {_p95(taken['scan']) * MS:.0f} ms"),
        Line("  search, p50", search * MS, "ms", note=f"p95 {_p95(taken['search']) * MS:.0f} ms"),
        Line("  against the scan", search / scan, "×", aim=2.0, note=f"of {len(taken['search'])} questions, in turns"),
        Line("  its words alone", words * MS, "ms"),
        Line("  ways to the database", max(statements), "", note=f"always between {min(statements)} and this"),
        Line("  recall@10 of the vectors", statistics.fmean(recall), "recall", aim=1.0, at_least=True),
    ]


async def _recall(
    room: Room, keys: Sequence[ChunkKey], held: NDArray[np.float32], vector: NDArray[np.float32]
) -> float:
    """Against every product of two vectors, as the table keeps them."""
    bob, instance_id = room.shelf.world["bob"].principal, room.shelf.world.instances["lab"].id
    scope = SearchScope(bob.mandate_id, instance_id, reach(bob, Action.READ, instance_id))
    async with room.shelf.world.services.db.unit_of_work(bob.actor) as uow:
        found = await search_queries.by_meaning(uow, scope, INFO.ref, vector, NEAREST)
    products = held.astype(np.float16).astype(np.float32) @ vector.astype(np.float16).astype(np.float32)
    nearest = {keys[at] for at in np.argpartition(-products, NEAREST)[:NEAREST]}
    return len(nearest & {item.key for item in found}) / NEAREST


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.search", description="How long a search takes.")
    parser.add_argument("--chunks", type=int, nargs="+", default=SIZES, help="passages in the workspace")
    parser.add_argument("--questions", type=int, default=60)
    chosen = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    path = ROOT / "xquad.en.json"
    if not path.is_file():
        print(f"{path.name} is not here: WORKROOM_TEST_DATA names the folder with retrieval sets.")
        return
    show(asyncio.run(measure(chosen.chunks, chosen.questions, Set.read(path))))


if __name__ == "__main__":
    main()
