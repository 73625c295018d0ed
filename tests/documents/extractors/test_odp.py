from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import package, png, read, stored, text_of
from tests.documents.open_making import NAMES
from workroom.documents.errors import DamagedDocument, EncryptedDocument
from workroom.documents.extractors.odp import EXTRACTOR
from workroom.documents.types import ContentType, ExtractionScope

SLIDES = """
<draw:page draw:name="1"><draw:frame svg:y="9cm" svg:x="1cm"><draw:text-box><text:p>below</text:p></draw:text-box></draw:frame>
<draw:frame svg:y="2cm" svg:x="1cm"><draw:text-box><text:list><text:list-item><text:p>one<text:s/>item</text:p>
<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list></draw:text-box>
</draw:frame>
<draw:frame presentation:class="title" svg:y="20cm"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:frame><draw:text-box><text:p>remember</text:p></draw:text-box></draw:frame></presentation:notes>
</draw:page>
<draw:page><draw:frame><table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p>
</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p>
</table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<draw:frame><draw:image xlink:href="Pictures/a.png" xmlns:xlink="http://www.w3.org/1999/xlink"/></draw:frame></draw:page>
"""


def presentation(slides: str = SLIDES, manifest: str = "<manifest/>") -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:body><office:presentation>{slides}</office:presentation>"
        "</office:body></office:document-content>"
    )
    return package({"content.xml": content, "META-INF/manifest.xml": manifest, "Pictures/a.png": png()})


def test_slides_with_titles_lists_and_notes(tmp_path: Path) -> None:
    source = stored(tmp_path, presentation())
    structure = EXTRACTOR.scan(source)
    assert [info.title for info in structure.slides] == ["Title", ""]
    assert structure.counts == {"slides": 2, "images": 1, "tables": 1}
    found = read(EXTRACTOR, source, ExtractionScope(slides=frozenset({0})))
    assert [each.text for each in found] == ["# Title", "- one item\n  - inner", "below", "remember"]
    assert found[-1].ref.location == "slide:1/notes"


def test_tables_and_pictures(tmp_path: Path) -> None:
    source = stored(tmp_path, presentation())
    table, picture = read(EXTRACTOR, source, ExtractionScope(slides=frozenset({1})))
    assert table.text == "| wide |  |\n| --- | --- |\n| 1 | 2 |"
    assert picture.content_type is ContentType.IMAGE
    assert EXTRACTOR.element(source, picture.ref.location).data == png()


def test_a_password_and_a_missing_content_are_told(tmp_path: Path) -> None:
    with pytest.raises(EncryptedDocument):
        EXTRACTOR.scan(stored(tmp_path, presentation(manifest="<m><encryption-data/></m>")))
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, package({"other.xml": "<a/>"})))


def test_an_empty_presentation_is_empty(tmp_path: Path) -> None:
    assert text_of(read(EXTRACTOR, stored(tmp_path, presentation("")))) == ""
