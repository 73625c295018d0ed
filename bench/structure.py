"""How soon the structure of a long document is there, against only reading its text; each in a process of its own.

Real documents are not part of the repository: without them (tests/documents/corpus.py says where) there is nothing to show.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.documents.corpus import ROOT, source

from bench.lines import Line
from bench.memory import highest
from bench.peers import environment
from workroom.documents.types import ExtractionScope, SourceFile
from workroom.documents.workers.parsers import Parsers

Measured = dict[str, float]
PARAGRAPHS = "python-docx"
_PAGE = 46
_TIMES = 3


@dataclass(frozen=True)
class Long:
    """A long document, who reads only its text, and which peers read it."""

    kind: str
    path: str
    pages: int
    bare: str
    peers: tuple[str, ...]


PDF = Long("pdf", "unstructured/pdf/DA-619p.pdf", 619, "PDFium reads all text", ("markitdown",))
DOCX = Long(
    "docx",
    "unstructured/handbook-872p.docx",
    872,
    "lxml reads all text",
    (PARAGRAPHS, "markitdown", "unstructured"),
)


def lines(*, peers: bool) -> Iterator[Line]:
    if not (ROOT / PDF.path).is_file():
        return
    with environment.installed(environment.READERS) if peers else nullcontext() as installed:
        for document in (PDF, DOCX):
            text, scan, whole = (_measured(job, document) for job in ("read", "scan", "extract"))
            yield from _structure(document, text, scan)
            yield Line(
                "  everything", document.pages / whole["seconds"], "pages/s", note=f"{whole['megabytes']:.0f} MB"
            )
            if installed is not None:
                yield from _theirs(document, installed, scan, whole)


def _structure(document: Long, text: Measured, scan: Measured) -> Iterator[Line]:
    name = f"{document.pages} pages of {document.kind.upper()}"
    yield Line(f"{name}: {document.bare}", text["seconds"], "s", note="processor time, best of 3")
    yield Line("  structure", scan["seconds"], "s")
    yield Line("  against reading", scan["seconds"] / text["seconds"], "×", aim=2.0 if document is PDF else None)
    first, again, memory = asyncio.run(_through_a_worker(document))
    yield Line("  structure, asked of a new process", first, "s", note=f"of a warm one {again:.2f} s; by the clock")
    yield Line("  memory of that process, at most", memory, "MB", aim=200)
    yield Line("  one page in the middle", _measured("page", document)["seconds"] * 1000, "ms")


def _theirs(document: Long, installed: environment.Peers, scan: Measured, whole: Measured) -> Iterator[Line]:
    for name in document.peers:
        found: Measured = installed.ask("bench.peers.reading", name, str(ROOT / document.path))
        note = f"once; {found['megabytes']:.0f} MB"
        if name == PARAGRAPHS:
            yield Line(f"  {name} reads all paragraphs", found["seconds"], "s", note=note)
            yield Line(
                "    our structure against it", scan["first"] / found["seconds"], "×", aim=2.0, note="our first time"
            )
        else:
            yield Line(f"  {name}, everything", document.pages / found["seconds"], "pages/s", note=note)
            yield Line(
                "    ours against it", found["seconds"] / whole["first"], "×", note="times as fast, our first time"
            )


async def _through_a_worker(document: Long) -> tuple[float, float, float]:
    """Seconds the first time and once more, and megabytes."""
    asked, times = _source(document), []
    async with Parsers(processes=1) as parsers:
        for _ in range(2):
            start = time.perf_counter()
            await parsers.scan(asked)
            times.append(time.perf_counter() - start)
        return times[0], times[1], highest(parsers.pids[0])


def _measured(job: str, document: Long) -> Measured:
    """In a fresh process, so that memory is that of this job alone."""
    command = [sys.executable, "-m", "bench.structure", job, document.kind]
    found: Measured = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def read_pdf(path: Path) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    for index in range(len(document)):
        page = document[index]
        reader = page.get_textpage()
        reader.get_text_range()
        reader.close()
        page.close()
    return len(document)


def _read_docx(path: Path) -> int:
    import zipfile

    from lxml import etree

    with zipfile.ZipFile(path) as package, package.open("word/document.xml") as body:
        root = etree.parse(body, etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
        return sum(map(len, root.itertext()))


def _source(document: Long) -> SourceFile:
    extractor = import_module(f"workroom.documents.extractors.{document.kind}").EXTRACTOR
    return source(ROOT / document.path, next(iter(extractor.media_types)))


def _job(name: str, document: Long) -> Callable[[], object]:
    extractor, asked = import_module(f"workroom.documents.extractors.{document.kind}").EXTRACTOR, _source(document)
    read = {"pdf": read_pdf, "docx": _read_docx}[document.kind]
    jobs: dict[str, Callable[[], object]] = {
        "read": lambda: read(asked.path),
        "scan": lambda: extractor.scan(asked),
        "page": lambda: sum(1 for _ in extractor.extract(asked, ExtractionScope(pages=frozenset({_PAGE})))),
        "extract": lambda: sum(1 for _ in extractor.extract(asked, ExtractionScope())),
    }
    return jobs[name]


def main(name: str, kind: str) -> None:
    job = _job(name, PDF if kind == "pdf" else DOCX)
    times = []
    for _ in range(_TIMES):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    print(json.dumps({"seconds": min(times), "first": times[0], "megabytes": highest()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
