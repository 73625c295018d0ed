"""DOCX: read as a stream of paragraphs and tables, in the order of the text.

document.py   the package: main part, styles, lists and notes
styles.py     what styles mean: headings in every language, lists, sizes
numbering.py  the numbers and bullets Word draws before paragraphs
pages.py      page breaks, explicit and as last rendered
inline.py     one paragraph: text, links, formulas, embedded parts
tables.py     one table: rows, merged cells
body.py       paragraphs and tables, one after the other
flow.py       the document as text that flows

Insertions that wait for approval are shown, deletions are not. Macros and links are never followed.
"""

from __future__ import annotations

from workroom.documents.extractors.docx.flow import open_docx
from workroom.documents.flow.extractor import FlowExtractor
from workroom.documents.office.properties import properties_of

_OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACRO = "application/vnd.ms-word."

EXTRACTOR = FlowExtractor(
    kind="docx",
    media_types=frozenset(
        {f"{_OFFICE}document", f"{_OFFICE}template"}
        | {f"{_MACRO}document.macroenabled.12", f"{_MACRO}template.macroenabled.12"}
    ),
    open=open_docx,
    properties=properties_of,
)
