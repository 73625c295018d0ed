"""How much of a document is found, measured against what others took from it: docling's ground truth beside its sources.

Two numbers from 0 to 1. `words`: the harmonic mean of how many of the true words were found and how many of the found
words are true. `order`: the same for words in the order in which they are read. Markup does not count, and neither does how
often a merged cell says its text: the truth repeats it in every column, we do not.

The hash of a document's bytes puts it into one of two halves. Rules of the extractors are tuned on the one (`tuning`) and judged
by the other (`held-out`), which is not looked into while tuning. Rules that are older than this division were written with both
halves in sight. Each half has floors of its own: those of the tuning half only say that nothing is lost.

    python -m tests.documents.scoring            prints both numbers per format, for each half
    python -m tests.documents.scoring pdf docx   and per file for these formats, of the tuning half alone
"""

from __future__ import annotations

import hashlib
import html
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.documents.corpus import ROOT, source
from workroom.documents.ports import Extractor
from workroom.documents.types import ExtractionScope


@dataclass(frozen=True)
class Floors:
    """A little below what is reached."""

    words: float
    order: float


@dataclass(frozen=True)
class Format:
    suffix: str
    module: str  # in workroom.documents.extractors
    media_type: str
    held_out: Floors
    tuning: Floors | None  # None where no document of the format falls into that half
    folder: str = ""  # of docling's data, when it is not called like the ending
    remarks: bool = False  # whether the truth has them


_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
FORMATS = {
    format.suffix: format
    for format in [
        Format("pdf", "pdf", "application/pdf", Floors(0.94, 0.925), Floors(0.965, 0.95)),
        Format(
            "pptx",
            "pptx",
            f"{_OFFICE}.presentationml.presentation",
            Floors(0.96, 0.96),
            Floors(0.95, 0.925),
            remarks=True,
        ),
        Format(
            "xlsx", "sheets", f"{_OFFICE}.spreadsheetml.sheet", Floors(0.94, 0.915), Floors(0.92, 0.82), remarks=True
        ),
        Format("ods", "sheets", f"{_OPEN}.spreadsheet", Floors(0.99, 0.99), None, folder="odf"),
        Format("html", "html", "text/html", Floors(0.985, 0.985), Floors(0.985, 0.985)),
        Format("csv", "csv", "text/csv", Floors(0.99, 0.99), Floors(0.99, 0.99)),
        Format("odt", "odt", f"{_OPEN}.text", Floors(0.985, 0.985), Floors(0.98, 0.98), folder="odf"),
        Format("docx", "docx", f"{_OFFICE}.wordprocessingml.document", Floors(0.98, 0.98), Floors(0.99, 0.985)),
    ]
}

_IMAGE = re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", re.DOTALL)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BROKEN = re.compile(r"(\w)-\n(?=\w)")
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_LONG = 20_000  # words: comparing their order would take minutes


@dataclass(frozen=True)
class Score:
    path: Path
    words: float
    order: float
    held_out: bool


@dataclass(frozen=True)
class Mean:
    """Of the scores of several documents."""

    documents: int
    words: float
    order: float

    def __str__(self) -> str:
        return f"{self.documents:3} documents   words {self.words:.3f}   order {self.order:.3f}"


def is_held_out(content: bytes) -> bool:
    """Which half a document belongs to: decided by its bytes alone, whatever it is called and whichever others there are."""
    return hashlib.sha256(content).digest()[0] % 2 == 1


def mean(scores: Iterable[Score]) -> Mean | None:
    scores = list(scores)
    if not scores:
        return None
    return Mean(len(scores), fmean(score.words for score in scores), fmean(score.order for score in scores))


def cases(format: Format) -> Iterator[tuple[Path, Path]]:
    """Sources with their ground truth."""
    for path in sorted((ROOT / "docling").glob(f"{format.folder or format.suffix}/sources/*.{format.suffix}")):
        folder = path.parent.parent / "groundtruth"
        for truth in (folder / f"{path.name}.md", folder / f"{path.stem}.md"):
            if truth.is_file():
                yield path, truth
                break


def scores(format: Format) -> list[Score]:
    extractor: Extractor = import_module(f"workroom.documents.extractors.{format.module}").EXTRACTOR
    measured = []
    for path, truth in cases(format):
        items = extractor.extract(source(path, format.media_type), ExtractionScope())
        text = "\n\n".join(item.text for item in items if not _is_beside(item.metadata, format))
        ours, theirs = words_of(text), words_of(truth.read_text("utf-8"))
        measured.append(Score(path, overlap(ours, theirs), in_order(ours, theirs), is_held_out(path.read_bytes())))
    return measured


def _is_beside(metadata: dict[str, Any], format: Format) -> bool:
    """Remarks and what repeats on every page: found by us, left out of the truth."""
    beside = {"header", "footer", "notes"} | (set() if format.remarks else {"comments"})
    return "comment" in metadata or metadata.get("role") in beside


def words_of(text: str) -> list[str]:
    text = _ROW.sub(_said_once, text)
    text = _BROKEN.sub(r"\1", html.unescape(text))
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", text))
    return _WORDS.findall(_TAG.sub(" ", text).replace("\\", "").casefold())


def _said_once(row: re.Match[str]) -> str:
    """A row of a table, with cells that say the same as the one before them emptied."""
    cells = [cell.strip() for cell in row[0].split("|")]
    return " | ".join("" if cell == before else cell for before, cell in zip(["", *cells], cells, strict=False))


def overlap(ours: list[str], theirs: list[str]) -> float:
    common = (Counter(ours) & Counter(theirs)).total()
    return 2 * common / (len(ours) + len(theirs)) if ours or theirs else 1.0


def in_order(ours: list[str], theirs: list[str]) -> float:
    return SequenceMatcher(None, ours[:_LONG], theirs[:_LONG], autojunk=False).ratio()


def main(details: list[str]) -> None:
    for suffix, format in FORMATS.items():
        measured = scores(format)
        for score in measured if suffix in details else []:
            if not score.held_out:
                print(f"  {score.words:.3f} {score.order:.3f}  {score.path.relative_to(ROOT)}")
        for half, floors in (("tuning", format.tuning), ("held-out", format.held_out)):
            reached = mean(score for score in measured if score.held_out is (half == "held-out"))
            least = f"   at least {floors.words} and {floors.order}" if floors else ""
            print(f"{suffix:5} {half:9} {reached or '  0 documents'}{least}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
