from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import package, png, read, stored, text_of
from tests.documents.open_making import book
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.epub import EXTRACTOR
from workroom.documents.types import ContentType, ExtractionScope


def test_chapters_in_the_order_of_the_book(tmp_path: Path) -> None:
    source = stored(tmp_path, book())
    structure = EXTRACTOR.scan(source)
    assert [(section.id, section.title) for section in structure.sections] == [("s1", "One"), ("s2", "Two")]
    assert structure.properties == {"title": "Ducks", "author": "Ann"}
    assert text_of(read(EXTRACTOR, source)) == "# One\n\nFirst.\n\n# Two\n\nSecond."
    assert text_of(read(EXTRACTOR, source, ExtractionScope(sections=frozenset({"s2"})))) == "# Two\n\nSecond."


def test_pictures_of_the_book_are_objects(tmp_path: Path) -> None:
    source = stored(tmp_path, book())
    picture = next(each for each in read(EXTRACTOR, source) if each.content_type is ContentType.IMAGE)
    assert (picture.ref.label, picture.ref.section_id) == ("A duck", "s1")
    assert EXTRACTOR.element(source, picture.ref.location).data == png()


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument, match="no e-book"):
        EXTRACTOR.scan(stored(tmp_path, package({"mimetype": "application/epub+zip"})))
