"""ODT: read as a stream of paragraphs, lists and tables, in the order of the text.

styles.py  what styles mean: page breaks, lists, captions, sizes
inline.py  one paragraph: text, links, notes, embedded parts
tables.py  one table: rows, merged and repeated cells
body.py    paragraphs, items of lists and tables, one after the other
flow.py    the document as text that flows
"""

from __future__ import annotations

from workroom.documents.extractors.odt.flow import open_odt
from workroom.documents.flow.extractor import FlowExtractor
from workroom.documents.office.properties import open_document_properties

_OPEN = "application/vnd.oasis.opendocument."

EXTRACTOR = FlowExtractor(
    kind="odt",
    media_types=frozenset({f"{_OPEN}text", f"{_OPEN}text-template", f"{_OPEN}text-master"}),
    open=open_odt,
    properties=open_document_properties,
)
