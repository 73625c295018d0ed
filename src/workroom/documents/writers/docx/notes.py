"""Footnotes: a part of their own, which the text refers to by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workroom.documents.writers.docx.styles import Styles
from workroom.documents.writers.docx.xml import WORD, W, text, w
from workroom.documents.writers.package import OfficePackage

PART = "word/footnotes.xml"


class DocxFootnotes:
    """Those of a template stay. `put` stores them, if there are any."""

    def __init__(self, package: OfficePackage, styles: Styles) -> None:
        self._package, self._styles = package, styles
        self._known = package.related("footnotes")
        self._root = package.xml(self._known) if self._known else w("footnotes", *_separators())
        numbers = [one.get(f"{{{W}}}id", "0") for one in self._root]
        self._next = max((int(number) for number in numbers if number.lstrip("-").isdigit()), default=0) + 1
        self._added = 0

    def reference(self, runs: Sequence[Any]) -> Any:
        """Adds a note with this content; the run that refers to it."""
        number = self._next + self._added
        self._added += 1
        style = self._styles.id("FootnoteReference")
        mark = w("r", w("rPr", w("rStyle", val=style)), w("footnoteRef"))
        paragraph = w("p", w("pPr", w("pStyle", val=self._styles.id("FootnoteText"))), mark, w("r", text(" ")), *runs)
        self._root.append(w("footnote", paragraph, id=number))
        return w("r", w("rPr", w("rStyle", val=style)), w("footnoteReference", id=number))

    @property
    def part(self) -> str:
        """The part whose relations the links within notes are."""
        return self._known or PART

    def put(self) -> None:
        if not self._added:
            return
        if self._known is None:
            self._package.relate(self._package.document, "footnotes", f"/{PART}", id_="workroomFootnotes")
            self._package.declare(PART, f"{WORD}footnotes+xml")
        self._package.put(self.part, self._root)


def _separators() -> list[Any]:
    """The lines above notes, which every such part begins with."""
    kinds = (("separator", -1), ("continuationSeparator", 0))
    return [w("footnote", w("p", w("r", w(kind))), type=kind, id=number) for kind, number in kinds]
