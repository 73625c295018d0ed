"""DOCX files that are broken, hostile or something else: refused with a sentence."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.docx.making import MEDIA_TYPE, docx, p, picture, read, said, table
from tests.documents.making import package, stored
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentError, DocumentTooLarge, EncryptedDocument
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.documents.office import xml_stream


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"", DamagedDocument),
        (b"not a package at all", DamagedDocument),
        (package({"readme.txt": "a ZIP, but no document"}), DamagedDocument),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, EncryptedDocument),
    ],
)
def test_what_is_no_document_is_refused(tmp_path: Path, data: bytes, refusal: type[DocumentError]) -> None:
    document = stored(tmp_path, data, MEDIA_TYPE, "letter.docx")
    with pytest.raises(refusal) as refused:
        EXTRACTOR.scan(document)
    assert "letter.docx" in refused.value.message


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    whole = docx(tmp_path, p("text") * 500).path.read_bytes()
    with pytest.raises(DocumentError):
        EXTRACTOR.scan(stored(tmp_path, whole[: len(whole) // 2], MEDIA_TYPE, "letter.docx"))


@pytest.mark.parametrize(
    "entity", ['SYSTEM "file:///etc/passwd"', '"' + "lol" * 1_000 + '"', 'SYSTEM "http://127.0.0.1:9/x"']
)
def test_entities_are_refused(tmp_path: Path, entity: str) -> None:
    document = docx(tmp_path, p("&bad;"), prolog=f"<!DOCTYPE d [<!ENTITY bad {entity}>]>")
    with pytest.raises(DamagedDocument):
        said(document)


def test_more_text_than_can_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "MAX_XML", 50_000)
    with pytest.raises(DocumentTooLarge, match="unpacks"):
        EXTRACTOR.scan(docx(tmp_path, p("word " * 1_000) * 100))


def test_deep_nesting_ends_somewhere(tmp_path: Path) -> None:
    inner = p("deep")
    for _ in range(40):
        inner = f"<w:tbl><w:tr><w:tc>{inner}</w:tc></w:tr></w:tbl>"
    with suppress(DocumentError):
        assert len(said(docx(tmp_path, inner))) < 1_000


def test_a_picture_that_is_missing_costs_nothing_else(tmp_path: Path) -> None:
    document = docx(tmp_path, p("Text", inside=picture("rGone")) + p("More"), rGone=("image", "media/gone.png"))
    assert [found.text for found in read(document)] == ["Text", "More"]


@pytest.mark.parametrize("part", ["word/styles.xml", "word/numbering.xml", "word/footnotes.xml"])
def test_a_part_that_is_broken_costs_nothing_else(tmp_path: Path, part: str) -> None:
    name = part.removeprefix("word/").removesuffix(".xml")
    broken: dict[str, bytes | str] = {part: b"<broken"}
    document = docx(tmp_path, p("Text"), parts=broken, rBroken=(name, f"{name}.xml"))
    assert said(document) == "Text"


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 255)), min_size=1, max_size=8))
def test_whatever_is_broken_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("broken")
    data = bytearray(docx(folder, p("One", "H1") + table(["a", "b"]) + p(inside=picture())).path.read_bytes())
    for place, value in changes:
        data[place % len(data)] = value
    document = stored(folder, bytes(data), MEDIA_TYPE, "letter.docx")
    with suppress(DocumentError, NotFound):
        EXTRACTOR.scan(document)
        for found in read(document):
            assert found.model_dump_json().encode()  # what is half a character has no encoding
            assert found.ref.container_path == "letter.docx"
