"""`make bench`, the third part: what reading documents costs, beside what others need for less.

python -m bench.documents [--peers]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import tempfile
import time
import zipfile
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from bench import kept, structure
from bench.lines import Line, show
from workroom.documents import kinds
from workroom.documents.containers import open_container, walk
from workroom.documents.types import ExtractionScope, SourceFile
from workroom.documents.workers.parsers import Parsers
from workroom.documents.workers.registry import ExtractorRegistry

MS = 1000
TIMES = 300
FILES = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.documents", description="What reading documents costs.")
    parser.add_argument("--peers", action="store_true", help="install other readers and measure them too")
    peers = parser.parse_args().peers
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as somebody else
        workers = asyncio.run(_workers(folder))
        show([*workers, *_containers(folder), *structure.lines(peers=peers), *kept.lines(folder)])


async def _workers(folder: Path) -> list[Line]:
    path = folder / "note.txt"
    path.write_text("A short text.\n\n" * 20)
    source = SourceFile(path, path.name, "text/plain", path.name)
    extractor = ExtractorRegistry().of(source.media_type)
    async with Parsers() as parsers:
        start = time.perf_counter()
        await parsers.scan(source)
        first = time.perf_counter() - start
        scan = await _typical(lambda: parsers.scan(source))
        here = _typical_here(lambda: extractor.scan(source))
        objects = await _typical(lambda: _count(parsers, source))
        objects_here = _typical_here(lambda: list(extractor.extract(source, ExtractionScope())))
    return [
        Line("first job, process started", first * MS, "ms", note="once per process"),
        Line("scan of a short text, warm", scan * MS, "ms", note=f"median of {TIMES}"),
        Line("  in this process", here * MS, "ms"),
        Line("  what the other process costs", (scan - here) * MS, "ms"),
        Line("extraction of it, warm", objects * MS, "ms"),
        Line("  in this process", objects_here * MS, "ms"),
    ]


def _containers(folder: Path) -> list[Line]:
    path = folder / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(FILES):
            archive.writestr(f"folder/{number:05}.txt", b"text")
    source = SourceFile(path, path.name, "application/zip", path.name)

    def listed() -> None:
        with open_container(source) as container:
            assert sum(1 for _ in container.members()) == FILES

    return [
        Line(f"listing {FILES:,} files of a ZIP", _once(listed) * MS, "ms"),
        Line(
            "  the standard library's listing",
            _once(lambda: zipfile.ZipFile(path).close()) * MS,
            "ms",
            note="no checks",
        ),
        Line("  with the walk into containers", _once(lambda: _exhaust(walk(source))) * MS, "ms"),
        Line(
            "what kind of file it is", _typical_here(lambda: kinds.kind_of(path, path.name)) * MS, "ms", note="this ZIP"
        ),
    ]


async def _count(parsers: Parsers, source: SourceFile) -> int:
    return len([found async for found in parsers.extract(source)])


async def _typical(job: Callable[[], Awaitable[object]]) -> float:
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        await job()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _typical_here(job: Callable[[], object]) -> float:
    return statistics.median(_once(job) for _ in range(TIMES))


def _once(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def _exhaust(found: Iterable[object]) -> None:
    for _ in found:
        pass


if __name__ == "__main__":
    main()
