"""How soon the structure of a long document is there, against only reading its text; each in a process of its own.

Real documents are not part of the repository: without them (tests/documents/corpus.py says where) there is nothing to show.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module

from tests.documents.corpus import ROOT, source

from bench.lines import Line
from workroom.documents.types import Wanted

LONG_PDF = "unstructured/pdf/DA-619p.pdf"
LONG_DOCX = "unstructured/handbook-872p.docx"
_PAGE = 46
_TIMES = 3


def lines() -> Iterator[Line]:
    if not (ROOT / LONG_PDF).is_file():
        return
    text, scan = _measured("read", "pdf", LONG_PDF), _measured("scan", "pdf", LONG_PDF)
    yield Line("619 pages of PDF: PDFium reads all text", text["seconds"], "s", note="processor time, best of 3")
    yield Line("  structure", scan["seconds"], "s")
    yield Line("  against reading", scan["seconds"] / text["seconds"], "×", aim=2.0)
    yield Line("  memory at most", scan["megabytes"], "MB", aim=200)
    yield Line("  one page in the middle", _measured("page", "pdf", LONG_PDF)["seconds"] * 1000, "ms")
    whole = _measured("extract", "pdf", LONG_PDF)
    yield Line("  everything", whole["pages"] / whole["seconds"], "pages/s", note=f"{whole['megabytes']:.0f} MB")
    scan = _measured("scan", "docx", LONG_DOCX)
    yield Line("872 pages of DOCX: structure", scan["seconds"], "s", note=f"{scan['megabytes']:.0f} MB")
    yield Line("  one page in the middle", _measured("page", "docx", LONG_DOCX)["seconds"] * 1000, "ms")
    whole = _measured("extract", "docx", LONG_DOCX)
    yield Line("  everything", whole["seconds"], "s", note=f"{whole['megabytes']:.0f} MB")


def _measured(job: str, kind: str, path: str) -> dict[str, float]:
    """In a fresh process, so that memory is that of this job alone."""
    command = [sys.executable, "-m", "bench.structure", job, kind, path]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def _read_all(path: str) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(ROOT / path)
    for index in range(len(document)):
        page = document[index]
        reader = page.get_textpage()
        reader.get_text_range()
        reader.close()
        page.close()
    return len(document)


def _job(name: str, kind: str, path: str) -> Callable[[], int]:
    extractor = import_module(f"workroom.documents.extractors.{kind}").EXTRACTOR
    document = source(ROOT / path, next(iter(extractor.media_types)))
    jobs: dict[str, Callable[[], int]] = {
        "read": lambda: _read_all(path),
        "scan": lambda: extractor.scan(document).pages or 0,
        "page": lambda: sum(1 for _ in extractor.extract(document, Wanted(pages=frozenset({_PAGE})))) and 1,
        "extract": lambda: len({found.ref.page_index for found in extractor.extract(document, Wanted())}),
    }
    return jobs[name]


def main(name: str, kind: str, path: str) -> None:
    job = _job(name, kind, path)
    times, pages = [], 0
    for _ in range(_TIMES):
        start = time.process_time()
        pages = job()
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    print(json.dumps({"seconds": min(times), "megabytes": peak, "pages": pages}))


if __name__ == "__main__":
    main(*sys.argv[1:])
