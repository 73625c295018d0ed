"""A DOCX file as flowing text."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from workroom.documents.extractors.docx.body import DocxBody
from workroom.documents.extractors.docx.document import DocxDocument
from workroom.documents.flow.blocks import BlockFilter, FlowBlock
from workroom.documents.office.charts import chart_kind, chart_rows, chart_title
from workroom.documents.office.package import Package
from workroom.documents.office.properties import pages_of
from workroom.documents.types import SourceFile


class DocxFlow:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.pages_are_marked = False
        self._document = DocxDocument(package)

    def blocks(self, wanted: BlockFilter) -> Generator[FlowBlock, None, None]:
        body = DocxBody(self._document)
        yield from body.blocks(wanted)
        self.pages_are_marked = body.pages.marked

    @property
    def declared_pages(self) -> int | None:
        return pages_of(self.package)

    def running(self, kind: str) -> Iterator[str]:
        return self._document.running(kind)

    def chart(self, target: str) -> tuple[str, str, list[list[str]]]:
        root = self.package.tree(target)
        return chart_title(root), chart_kind(root), chart_rows(root)

    def diagram(self, target: str) -> list[str]:
        """The words in a SmartArt diagram."""
        root = self.package.tree(target)
        points = [] if root is None else root.iter("{*}pt")
        texts = (" ".join(text.text or "" for text in point.iter("{*}t")).strip() for point in points)
        return [f"- {text}" for text in texts if text]


@contextmanager
def open_docx(source: SourceFile) -> Iterator[DocxFlow]:
    with Package(source) as package:
        yield DocxFlow(package)
