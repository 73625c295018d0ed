"""An ODT file as flowing text."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.extractors.odt.body import CONTENT, OdtBody
from workroom.documents.extractors.odt.inline import OdtParagraphReader
from workroom.documents.extractors.odt.styles import OdtStyles, attribute
from workroom.documents.extractors.odt.tables import read_table
from workroom.documents.flow.blocks import BlockFilter, FlowBlock
from workroom.documents.flow.pages import PageCounter
from workroom.documents.office.package import Package, encrypted
from workroom.documents.office.passwords import wants_password
from workroom.documents.office.properties import open_document_pages
from workroom.documents.types import SourceFile
from workroom.documents.whitespace import one_line


class OdtFlow:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.pages_are_marked = False
        if CONTENT not in package:
            raise DamagedDocument(
                f"{package.source.name} holds no text document. Send it again, or save it anew where it opens."
            )
        self._common = self._tree("styles.xml")

    def blocks(self, wanted: BlockFilter) -> Generator[FlowBlock, None, None]:
        styles = OdtStyles()
        styles.add_all(self._common)
        body = OdtBody(self.package, styles)
        yield from body.blocks(wanted)
        self.pages_are_marked = body.pages.marked

    @property
    def declared_pages(self) -> int | None:
        return open_document_pages(self.package)

    def running(self, kind: str) -> Iterator[str]:
        seen: set[str] = set()
        holders = (
            [] if self._common is None else self._common.iter(f"{{*}}{kind}", f"{{*}}{kind}-left", f"{{*}}{kind}-first")
        )
        for holder in holders:
            reader = OdtParagraphReader(self.package, PageCounter())
            lines = [plain_text for item in holder.iter("{*}p", "{*}h") if (plain_text := reader.read(item).plain_text)]
            text = "\n".join(lines)
            if text and text not in seen:
                seen.add(text)
                yield text

    def chart(self, target: str) -> tuple[str, str, list[list[str]]]:
        """Charts keep their numbers in a table of their own."""
        root = self.package.tree(target)
        charts = [] if root is None else root.iter("{*}chart")  # the first is only the wrapper of the other
        chart = next((element for element in charts if attribute(element, "class")), None)
        title = None if chart is None else chart.find("{*}title")
        table = next(root.iter("{*}table"), None) if root is not None else None
        rows = [] if table is None else read_table(table, OdtParagraphReader(self.package, PageCounter())).rows
        kind = "" if chart is None else attribute(chart, "class").rpartition(":")[2]
        return ("" if title is None else one_line("".join(title.itertext()), 300)), kind, rows

    def diagram(self, target: str) -> list[str]:
        """Formulas and drawings: what they say. A formula keeps the text it was typed as."""
        root = self.package.tree(target)
        if root is None:
            return []
        typed = [note.text for note in root.iter("{*}annotation") if note.text]
        return typed[:1] or [one_line("".join(root.itertext()), 5_000)]

    def _tree(self, part: str) -> Any:
        try:
            return self.package.tree(part)
        except DocumentError:
            return None


@contextmanager
def open_odt(source: SourceFile) -> Iterator[OdtFlow]:
    with Package(source) as package:
        if wants_password(source.path):
            raise encrypted(source)
        yield OdtFlow(package)
