"""Very many very small files in one workspace, what stays as it was and what grows: `python -m bench.tiny_files`.

First with a tenth of them, then with all. Most are rows put there directly; at both sizes some are stored, looked into and
indexed as the worker does it, beside those. What one file, a page of the list, or its states need must not depend on how many
others there are; a search compares every vector somebody may read, so it may take ten times as long, and no more.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from tests.files.sending import make

from bench import shelves
from bench.lines import Line, show
from bench.memory import highest
from bench.room import Room, opened, server
from bench.shelves import Shelf, Writer
from bench.statements import counted
from workroom.core.pages import PageRequest
from workroom.files.types import FileFilter
from workroom.knowledge.service import Knowledge
from workroom.knowledge.store.vectors import literal
from workroom.knowledge.types import Query
from workroom.models.embeddings.static import INFO

FILES = 10_000
SAMPLE = 20  # files that go all the way, at each size
TIMES = 15
WORDS = 12
MS = 1000
GROWTH = 10
POSTINGS = """insert into postings (mandate_id, instance_id, lexeme, file_id, chunks, tfs, lengths)
select k.mandate_id, k.instance_id, l.lexeme, k.file_id, array[0], array[cardinality(l.positions)::smallint], array[$2::smallint]
from knowledge_files k join chunks c using (mandate_id, file_id), unnest(to_tsvector('english', c.text)) as l
where k.file_id = any($1)"""
COUNTED = """update knowledge_files set state = 'indexed', chunks = 1, length = $2, language = 'english', embedder = $3,
done = 1, total = 1 where file_id = any($1)"""
AT_ONCE = 5_000


@dataclass(frozen=True)
class Cost:
    """Of one of them: the median of seconds, and the fewest ways to the database: a pool that opens connections adds some."""

    seconds: float
    statements: int


async def measure(files: int) -> list[Line]:
    few, many = await costs(files)
    return [*_lines(files, few, many), Line("  memory of this process, at most", highest(), "MB")]


async def costs(files: int) -> tuple[dict[str, Cost], dict[str, Cost]]:
    """With a tenth of them, and with all."""
    writer = Writer(
        ["the quick brown fox jumps over a lazy dog while many small notes wait in a large room"], words=WORDS
    )
    async with server() as (postgres, folder), opened(postgres, folder / "data") as room:
        await room.shelf.put("first.txt", "The parsers are awake.")
        few = await _sized(room, writer, files // GROWTH)
        return few, await _sized(room, writer, files - files // GROWTH)


async def _sized(room: Room, writer: Writer, more: int) -> dict[str, Cost]:
    shelf = shelves.own(room.shelf.world)
    known: list[UUID] = []
    for start in range(0, more, AT_ONCE):
        known = await _put(room, shelf, writer, min(AT_ONCE, more - start))
    await room.admin.execute("vacuum analyze")
    bob, world = room.shelf.world["bob"].principal, room.shelf.world
    knowledge = Knowledge(world.services.db, world.services.files, room.shelf.embedders)
    jobs: dict[str, Callable[[], Awaitable[object]]] = {
        "search": lambda: room.shelf.search.find(bob, Query("the brown fox and its notes", shelf.instance_id)),
        "a page of the list": lambda: world.services.files.list(
            bob, shelf.instance_id, PageRequest(limit=50), FileFilter()
        ),
        "states of a page": lambda: knowledge.statuses(bob, shelf.instance_id, known[:50]),
    }
    costs = {"one file, stored and indexed": await _indexed(room, writer, more)}
    for name, job in jobs.items():
        costs[name] = await _cost(job)
    return costs


async def _put(room: Room, shelf: Shelf, writer: Writer, count: int) -> list[UUID]:
    """With one passage each, as the stores would write it."""
    ids = await shelves.put_files(room, shelf, count, indexed=True)
    mandate, ref = shelf.mandate_id, '{"location": "section:1"}'
    chunks = [(mandate, file_id, 0, "", writer.text(), ref, WORDS) for file_id in ids]
    columns = ("mandate_id", "file_id", "chunk", "inside", "text", "ref", "tokens")
    await room.admin.copy_records_to_table("chunks", records=chunks, columns=columns, schema_name="workroom")
    await room.admin.execute(POSTINGS, ids, WORDS)
    await room.admin.execute(COUNTED, ids, WORDS, INFO.ref)
    await room.admin.execute(
        f"insert into vectors_{INFO.dimensions} select $1, $2, given.file_id, 0, $3, given.vector::text::halfvec"
        " from unnest($4::uuid[], $5::text[]) as given(file_id, vector)",
        mandate,
        shelf.instance_id,
        INFO.ref,
        ids,
        [literal(vector) for vector in writer.directions(count)],
    )
    return ids


async def _indexed(room: Room, writer: Writer, run: int) -> Cost:
    numbers = iter(range(SAMPLE))

    async def one() -> None:
        text = f"{run} {next(numbers)} {writer.text()}"  # nothing that another file says already
        await make(room.shelf.world, "bob", f"{text[:20]}.txt", text.encode())
        await room.shelf.settle()

    return await _cost(one, SAMPLE)


async def _cost(job: Callable[[], Awaitable[object]], times: int = TIMES) -> Cost:
    seconds, statements = [], []
    for _ in range(times):
        with counted() as asked:
            start = time.perf_counter()
            await job()
            seconds.append(time.perf_counter() - start)
        statements.append(asked.count)
    return Cost(statistics.median(seconds), min(statements))


def _lines(files: int, few: dict[str, Cost], many: dict[str, Cost]) -> list[Line]:
    lines = [Line("files", files, "", note=f"against {files // GROWTH:,}")]
    for name, cost in many.items():
        before = few[name]
        ways = f"{cost.statements} ways to the database, before {before.statements}"
        lines.append(Line(f"  {name}", cost.seconds * MS, "ms", note=ways))
        aim = 1.5 * GROWTH if name == "search" else 2.0
        lines.append(Line("    against a tenth of the files", cost.seconds / before.seconds, "×", aim=aim))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.tiny_files", description="Very many very small files.")
    parser.add_argument("--files", type=int, default=FILES)
    files = parser.parse_args().files
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    show(asyncio.run(measure(files)))


if __name__ == "__main__":
    main()
