"""The table of contents: a field that programs fill in anew, and until then entries that lead to their headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.documents.writers.docx.inline import run
from workroom.documents.writers.docx.styles import Styles
from workroom.documents.writers.docx.xml import text, w

LEVELS = 3


@dataclass(frozen=True)
class Heading:
    """The number is its place in the document."""

    number: int
    level: int
    title: str

    @property
    def bookmark(self) -> str:
        return f"_Toc{900_000 + self.number}"


def marked(paragraph: Any, heading: Heading) -> None:
    """Lets entries of the table of contents point to this heading."""
    first = next((at for at, child in enumerate(paragraph) if not child.tag.endswith("}pPr")), len(paragraph))
    paragraph.insert(first, w("bookmarkStart", id=heading.number, name=heading.bookmark))
    paragraph.append(w("bookmarkEnd", id=heading.number))


def contents(headings: Sequence[Heading], title: str, styles: Styles) -> Iterator[Any]:
    yield w("p", w("pPr", w("pStyle", val=styles.id("TOCHeading"))), run(title))
    shown = [heading for heading in headings if heading.level <= LEVELS]
    begin = [
        w("r", w("fldChar", fldCharType="begin", dirty="true")),
        w("r", _instruction(f' TOC \\o "1-{LEVELS}" \\h \\z \\u ')),
        w("r", w("fldChar", fldCharType="separate")),
    ]
    end = w("r", w("fldChar", fldCharType="end"))
    if not shown:
        yield w("p", *begin, end)
    for at, heading in enumerate(shown):
        link = w("hyperlink", run(heading.title), anchor=heading.bookmark, history=1)
        before, after = begin if at == 0 else [], [end] if at == len(shown) - 1 else []
        yield w("p", w("pPr", w("pStyle", val=styles.id(f"TOC{heading.level}"))), *before, link, *after)


def _instruction(words: str) -> Any:
    element = text(words)
    element.tag = element.tag.removesuffix("}t") + "}instrText"
    return element
