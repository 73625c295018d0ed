from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import package, png, read, stored, text_of
from tests.documents.open_making import presentation
from workroom.documents.errors import DamagedDocument, EncryptedDocument
from workroom.documents.extractors.odp import EXTRACTOR
from workroom.documents.types import ContentType, ExtractionScope


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
