"""How much of a document is found, measured against what others took from it: docling's ground truth beside its sources.

Two numbers from 0 to 1. `words`: the harmonic mean of how many of the true words were found and how many of the found
words are true. `order`: the same for words in the order in which they are read. Markup does not count, and neither does how
often a merged cell says its text: the truth repeats it in every column, we do not.

    python -m tests.documents.scoring            prints both per format
    python -m tests.documents.scoring pdf docx   and per file for these formats
"""

from __future__ import annotations

import html
import re
import sys
from collections import Counter
from collections.abc import Iterator
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
class Format:
    suffix: str
    module: str  # in workroom.documents.extractors
    media_type: str
    words: float  # floors: a little below what is reached
    order: float
    folder: str = ""  # of docling's data, when it is not called like the ending
    remarks: bool = False  # whether the truth has them


_OFFICE = "application/vnd.openxmlformats-officedocument"
FORMATS = {
    format.suffix: format
    for format in [
        Format("pdf", "pdf", "application/pdf", words=0.955, order=0.935),
        Format("pptx", "pptx", f"{_OFFICE}.presentationml.presentation", words=0.95, order=0.94, remarks=True),
        Format("xlsx", "sheets", f"{_OFFICE}.spreadsheetml.sheet", words=0.92, order=0.86, remarks=True),
        Format("ods", "sheets", "application/vnd.oasis.opendocument.spreadsheet", words=0.99, order=0.99, folder="odf"),
        Format("html", "html", "text/html", words=0.98, order=0.98),
        Format("csv", "csv", "text/csv", words=0.99, order=0.99),
        Format("odt", "odt", "application/vnd.oasis.opendocument.text", words=0.98, order=0.98, folder="odf"),
        Format("docx", "docx", f"{_OFFICE}.wordprocessingml.document", words=0.985, order=0.985),
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
    found = []
    for path, truth in cases(format):
        items = extractor.extract(source(path, format.media_type), ExtractionScope())
        text = "\n\n".join(item.text for item in items if not _is_beside(item.metadata, format))
        ours, theirs = words_of(text), words_of(truth.read_text("utf-8"))
        found.append(Score(path, overlap(ours, theirs), in_order(ours, theirs)))
    return found


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
        found = scores(format)
        if not found:
            continue
        for score in found if suffix in details else []:
            print(f"  {score.words:.3f} {score.order:.3f}  {score.path.relative_to(ROOT)}")
        words, order = fmean(score.words for score in found), fmean(score.order for score in found)
        floors = f"at least {format.words} and {format.order}"
        print(f"{suffix:5} {len(found):3} documents   words {words:.3f}   order {order:.3f}   {floors}")


if __name__ == "__main__":
    main(sys.argv[1:])
