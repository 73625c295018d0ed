"""How soon a long document can be searched, beside only reading its text: `python -m bench.ingest [--times 3]`.

The file is stored, looked into and indexed as the worker does it, in a database that has never seen it; PDFium reads all its
text before each time, in this process. The first pages can be searched when the first passage is given to the embedder: then
they are committed. All of them can when it is indexed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.documents.corpus import ROOT
from tests.files.sending import make

from bench.lines import Line, show
from bench.room import Room, opened, server
from bench.statements import counted
from bench.structure import PDF, read_pdf
from workroom.models.embeddings.ports import Embeddings
from workroom.models.embeddings.static import StaticEmbedder, preload

TIMES = 3


class WatchedEmbedder(StaticEmbedder):
    """Knows when it was asked first, and how often."""

    def __init__(self) -> None:
        self.asked = list[float]()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if not query:
            self.asked.append(time.perf_counter())
        return await super().embed(texts, query=query)


@dataclass(frozen=True)
class Taken:
    """Seconds, and what it took."""

    reading: float
    first: float
    indexed: float
    calls: int
    statements: int
    passages: int


async def measure(path: Path, times: int, found: str = "report") -> list[Taken]:
    """`found`: a word of it."""
    data = await asyncio.to_thread(path.read_bytes)
    await asyncio.to_thread(preload)
    taken = []
    async with server() as (postgres, folder):
        for number in range(times):
            reading = await asyncio.to_thread(_seconds_to_read, path)
            watched = WatchedEmbedder()
            async with opened(postgres, folder / str(number), watched) as room:
                taken.append(await _once(room, watched, data, reading))
                assert await room.shelf.find(found, meaning=False), "its words are found"
    return taken


async def _once(room: Room, watched: WatchedEmbedder, data: bytes, reading: float) -> Taken:
    await room.shelf.put("short.txt", "The parsers are awake.")  # their processes are the server's, not the document's
    watched.asked.clear()
    with counted() as statements:
        start = time.perf_counter()
        file = await make(room.shelf.world, "bob", "long.pdf", data)
        await room.shelf.settle()
        end = time.perf_counter()
    passages: int = await room.admin.fetchval("select chunks from knowledge_files where file_id = $1", file.id)
    return Taken(reading, watched.asked[0] - start, end - start, len(watched.asked), statements.count, passages)


def _seconds_to_read(path: Path) -> float:
    start = time.perf_counter()
    read_pdf(path)
    return time.perf_counter() - start


def lines(taken: Sequence[Taken]) -> list[Line]:
    reading, first, indexed = (
        statistics.median(seconds)
        for seconds in zip(*((one.reading, one.first, one.indexed) for one in taken), strict=True)
    )
    last = taken[-1]
    return [
        Line(f"{PDF.pages} pages of PDF: {PDF.bare}", reading, "s", note=f"by the clock, median of {len(taken)}"),
        Line("  stored until its first pages are found", first, "s"),
        Line("    against reading", first / reading, "×", aim=3.0),
        Line("  stored until all of it is indexed", indexed, "s", note=f"{last.passages:,} passages"),
        Line("    against reading", indexed / reading, "×", aim=3.0),
        Line("  calls of the embedder", last.calls, ""),
        Line("  ways to the database", last.statements, "", note=f"{last.statements / PDF.pages:.1f} per page"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.ingest", description="How soon a long document can be searched.")
    parser.add_argument("--times", type=int, default=TIMES)
    times = parser.parse_args().times
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    path = ROOT / PDF.path
    if not path.is_file():
        print(f"{path.name} is not here: tests/documents/corpus.py says where real documents are looked for.")
        return
    show(lines(asyncio.run(measure(path, times))))


if __name__ == "__main__":
    main()
