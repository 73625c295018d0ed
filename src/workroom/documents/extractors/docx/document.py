"""A DOCX package: its main part with styles, numbering, notes and comments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.extractors.docx.inline import DocxParagraphReader
from workroom.documents.extractors.docx.numbering import Numbering
from workroom.documents.extractors.docx.styles import DocxStyles, attribute
from workroom.documents.office.package import Package
from workroom.documents.whitespace import one_line

_NO_NOTE = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class DocxDocument:
    def __init__(self, package: Package) -> None:
        self.package = package
        parts = [*package.related("", "officeDocument"), "word/document.xml"]
        self.part = next((part for part in parts if part in package), "")
        if not self.part:
            raise DamagedDocument(
                f"{package.source.name} holds no text of a Word document. Send it again, or save it anew where it opens."
            )

    @cached_property
    def styles(self) -> DocxStyles:
        return DocxStyles(self._tree("styles"))

    def numbering(self) -> Numbering:
        """A new numbering for every pass, since it counts."""
        return Numbering(self._numbering)

    @cached_property
    def _numbering(self) -> Any:
        return self._tree("numbering")

    @cached_property
    def reader(self) -> DocxParagraphReader:
        return DocxParagraphReader(self.package.relations(self.part))

    @cached_property
    def footnotes(self) -> dict[str, str]:
        return self._notes("footnotes", "footnote")

    @cached_property
    def endnotes(self) -> dict[str, str]:
        return self._notes("endnotes", "endnote")

    @cached_property
    def comments(self) -> dict[str, tuple[str, str]]:
        """Author and text."""
        root = self._tree("comments")
        items = {} if root is None else {attribute(item, "id"): item for item in root.iterfind("{*}comment")}
        return {
            id_: (one_line(attribute(item, "author"), 100), self._text_of(item, "comments"))
            for id_, item in items.items()
        }

    def running(self, kind: str) -> Iterator[str]:
        """Distinct texts of headers or footers."""
        seen: set[str] = set()
        for part in self.package.related(self.part, kind):
            try:
                root = self.package.tree(part)
                text = "" if root is None else _text(root, DocxParagraphReader(self.package.relations(part)))
            except DocumentError:
                continue
            if text and text not in seen:
                seen.add(text)
                yield text

    def _notes(self, kind: str, name: str) -> dict[str, str]:
        root = self._tree(kind)
        items = [] if root is None else root.iterfind(f"{{*}}{name}")
        return {
            attribute(item, "id"): self._text_of(item, kind)
            for item in items
            if attribute(item, "type") not in _NO_NOTE
        }

    def _text_of(self, item: Any, kind: str) -> str:
        part = next(iter(self.package.related(self.part, kind)), "")
        return _text(item, DocxParagraphReader(self.package.relations(part)))

    def _tree(self, kind: str) -> Any:
        """A part that belongs to the text; None when it is missing or broken, since the text can be read without it."""
        try:
            part = next(iter(self.package.related(self.part, kind)), "")
            return self.package.tree(part) if part else None
        except DocumentError:
            return None


def _text(holder: Any, reader: DocxParagraphReader) -> str:
    lines = (reader.read(paragraph).plain_text for paragraph in holder.iter("{*}p"))
    return "\n".join(line for line in lines if line)
