"""ODT: read as a stream of paragraphs, lists and tables, in the order of the text.

styles.py      what styles mean: page breaks, lists, captions, sizes
inline.py      one paragraph: text, links, notes, and what hangs in it
tables.py      one table: rows, merged and repeated cells
body.py        paragraphs, items of lists and tables, one after the other
reading.py     the document as text that flows
"""

from __future__ import annotations

from collections.abc import Iterator

from workroom.documents.types import ContentObject, Element, Source, Structure, Wanted

_OPEN = "application/vnd.oasis.opendocument."


class OdtExtractor:
    media_types = frozenset({f"{_OPEN}text", f"{_OPEN}text-template", f"{_OPEN}text-master"})

    def scan(self, source: Source) -> Structure:
        from workroom.documents.extractors.odt.reading import open_odt
        from workroom.documents.flow.extracting import structure_of
        from workroom.documents.office.properties import open_document_properties

        with open_odt(source) as flow:
            return structure_of(flow, "odt", open_document_properties(flow.package))

    def extract(self, source: Source, wanted: Wanted) -> Iterator[ContentObject]:
        from workroom.documents.extractors.odt.reading import open_odt
        from workroom.documents.flow.extracting import objects_of

        with open_odt(source) as flow:
            yield from objects_of(flow, wanted)

    def element(self, source: Source, location: str) -> Element:
        from workroom.documents.extractors.odt.reading import open_odt
        from workroom.documents.flow.extracting import element_at

        with open_odt(source) as flow:
            return element_at(flow, location)


EXTRACTOR = OdtExtractor()
