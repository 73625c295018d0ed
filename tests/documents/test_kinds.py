"""What a file is, by its content: lying names are reported, never believed."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.containers.hostile import crowded, tar_member, tarred, zipped
from workroom.documents.kinds import (
    EMPTY,
    ENCRYPTED_OFFICE,
    FOLDER,
    UNKNOWN,
    detect,
    is_container,
    kind_of,
    media_type_of_name,
)
from workroom.documents.sniffing.encoding import encoding_of
from workroom.documents.sniffing.names import BY_ENDING

OFFICE = "application/vnd.openxmlformats-officedocument"
TYPES = '<Types><Override PartName="/x" ContentType="application/vnd.{}+xml"/></Types>'

BINARY = [
    (b"%PDF-1.7\n%\xe2\xe3", "application/pdf"),
    (b"\xef\xbb\xbf\n%PDF-1.4\n\0", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
    (b"GIF89a\1\0\1\0", "image/gif"),
    (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
    (b"ID3\4\0\0\0\0", "audio/mpeg"),
    (b"\xff\xfb\x90\x64\0\0", "audio/mpeg"),
    (b"OggS\0\2" + bytes(20) + b"\1vorbis", "audio/ogg"),
    (b"\0\0\0\x18ftypM4A \0\0\0\0", "audio/mp4"),
    (b"\0\0\0\x18ftypmp42\0\0\0\0" + b"hdlr" + bytes(8) + b"soun", "audio/mp4"),
    (b"\0\0\0\x18ftypisom\0\0\0\0" + b"hdlr" + bytes(8) + b"vide" + b"hdlr" + bytes(8) + b"soun", "video/mp4"),
    (b"\x1aE\xdf\xa3\x9fB\x82\x84webm", "video/webm"),
    (b"7z\xbc\xaf\x27\x1c\0\4", "application/x-7z-compressed"),
    (b"\x7fELF\2\1\1", "application/x-elf"),
    (gzip.compress(b"x"), "application/gzip"),
    (tarred(tar_member("a.txt", b"x")), "application/x-tar"),
    (b"{\\rtf1\\ansi hello}", "application/rtf"),
    (b"", EMPTY),
    (bytes(range(256)) * 4, UNKNOWN),
    (b"\1\2\3\4", UNKNOWN),
]


def look(data: bytes, name: str, folder: Path) -> str:
    path = folder / "file"
    path.write_bytes(data)
    return kind_of(path, name)


@pytest.mark.parametrize(("data", "media_type"), BINARY, ids=[f"{n}-{kind}" for n, (_, kind) in enumerate(BINARY)])
@pytest.mark.parametrize("name", ["report.docx", "no-ending", "x.txt", "x.pdf"])
def test_the_first_bytes_decide_whatever_the_name(data: bytes, media_type: str, name: str, tmp_path: Path) -> None:
    assert look(data, name, tmp_path) == media_type


@pytest.mark.parametrize(
    ("files", "media_type"),
    [
        ({"[Content_Types].xml": TYPES.format("openxmlformats-officedocument.wordprocessingml.document.main")}, "docx"),
        ({"[Content_Types].xml": TYPES.format("ms-word.document.macroEnabled.main")}, "docm"),
        ({"[Content_Types].xml": TYPES.format("openxmlformats-officedocument.spreadsheetml.sheet.main")}, "xlsx"),
        ({"[Content_Types].xml": TYPES.format("ms-excel.sheet.macroEnabled.main")}, "xlsm"),
        ({"[Content_Types].xml": TYPES.format("ms-excel.sheet.binary.macroEnabled.main")}, "xlsb"),
        ({"[Content_Types].xml": TYPES.format("openxmlformats-officedocument.presentationml.slideshow.main")}, "ppsx"),
        ({"[Content_Types].xml": "unreadable", "ppt/presentation.xml": ""}, "pptx"),
        ({"word/document.xml": ""}, "docx"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "odt"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "ods"),
        ({"mimetype": "application/epub+zip"}, "epub"),
        ({"META-INF/MANIFEST.MF": ""}, "jar"),
        ({"mimetype": "image/png"}, "zip"),
        ({"notes.txt": "about word/document.xml"}, "zip"),
        ({}, "zip"),
    ],
)
def test_a_zip_is_looked_into(files: dict[str, str], media_type: str, tmp_path: Path) -> None:
    data = zipped({name: text.encode() for name, text in files.items()})
    assert look(data, "anything.zip", tmp_path) == BY_ENDING[media_type]


def test_half_a_document_is_still_that_document(tmp_path: Path) -> None:
    data = zipped({"word/document.xml": b"x" * 5000, "word/styles.xml": b"y" * 5000})
    assert look(data[: len(data) // 2], "x.docx", tmp_path) == f"{OFFICE}.wordprocessingml.document"
    odt = zipped({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"x"}, zipfile.ZIP_STORED)
    assert look(odt[:120], "x", tmp_path) == BY_ENDING["odt"]


def test_a_directory_that_claims_too_much_is_not_read(tmp_path: Path) -> None:
    assert look(crowded(200_000), "x.docx", tmp_path) == "application/zip"


TEXTS = [
    ('{"a": [1, 2]}', "x.bin", "application/json"),
    ("[1, 2, 3]", "x.txt", "application/json"),
    ('{"a": 1}\n{"a": 2}\n', "x", "application/x-ndjson"),
    ('{"a": broken', "x.json", "application/json"),
    ("just words", "x.json", "text/plain"),
    ("[note] to myself", "x.txt", "text/plain"),
    ('<?xml version="1.0"?><a/>', "x.txt", "application/xml"),
    ("<a><b/></a>", "x", "application/xml"),
    ("<a><b></a>", "x.txt", "text/plain"),
    ("<a><b></a>", "x.xml", "application/xml"),
    ('<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg"/>', "x.xml", "image/svg+xml"),
    ("<!DOCTYPE html><p>", "x.txt", "text/html"),
    ("\n<html><body>", "page", "text/html"),
    ('<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', "x.xml", "text/html"),
    ("<p>Hello", "x", "text/html"),
    ("<div align=center>\n\n# Title\n", "README.md", "text/markdown"),
    ("# Title\n\nSome [link](x) and **bold**.\n", "notes", "text/markdown"),
    ("# a comment\nkey = value\n", "x.conf", "text/x-ini"),
    ("a,b,c\n1,2,3\n4,5,6\n", "x", "text/csv"),
    ('a;b\n"1;1";2\n3;4\n', "x", "text/csv"),
    ("a\tb\n1\t2\n3\t4\n", "x", "text/tab-separated-values"),
    ("single column\n", "x.csv", "text/csv"),
    ("One, two\nand three, four\n\nplain words, here, and there\n", "x", "text/plain"),
    ("From: a@b\nTo: c@d\nSubject: x\n\nBody", "x.txt", "message/rfc822"),
    ("Received: by x\n with y\nX-Z: 1\nFrom: a@b\nDate: now\n\nBody", "x", "message/rfc822"),
    ("Subject: only one\n\nBody", "x.eml", "message/rfc822"),
    ("Subject: only one\n\nBody", "x.txt", "text/plain"),
    ("no headers at all", "x.eml", "text/plain"),
    ("import os\n", "x.py", "text/x-python"),
    ("BZh is how bzip2 files begin", "x.txt", "text/plain"),
    ("   \n", "x.eml", "message/rfc822"),
    ("plain", "x.docx", "text/plain"),
]


@pytest.mark.parametrize(("text", "name", "media_type"), TEXTS)
def test_texts_are_told_apart(text: str, name: str, media_type: str, tmp_path: Path) -> None:
    assert look(text.encode(), name, tmp_path) == media_type
    assert look(text.encode("utf-16"), name, tmp_path) == media_type


def test_a_long_text_is_judged_by_its_beginning(tmp_path: Path) -> None:
    rows = json.dumps([{"number": number, "text": "é" * 20} for number in range(5000)], ensure_ascii=False)
    assert look(rows.encode(), "x", tmp_path) == "application/json"
    assert look(("é" * 100_000).encode(), "x", tmp_path) == "text/plain"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Grüße"),
        ("utf-8-sig", "Grüße"),
        ("utf-16", "Grüße"),
        ("utf-32", "Grüße"),
        ("utf-16-le", "Schöne Grüße aus Zürich"),
        ("utf-16-be", "Schöne Grüße aus Zürich"),
        ("cp1252", "Die schöne Frau aß für fünf Euro „Käse“ – größtenteils."),
        ("cp1252", "El niño comió en España; ça va très bien, déjà vu à Genève."),
        ("cp1252", "äöüß"),
        ("cp1250", "Zażółć gęślą jaźń. Świętość źródła, łódź, córka, książka."),
        ("mac_roman", "Die schöne Frau aß für fünf Euro Käse, größtenteils."),
        ("cp850", "Die schöne Frau aß für fünf Euro Käse, größtenteils."),
        ("cp1251", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
        ("koi8_r", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
        ("cp1253", "Η γρήγορη αλεπού πηδάει πάνω από τον τεμπέλη σκύλο"),
        ("cp932", "これは日本語の文章です。漢字とカタカナを含みます。"),
        ("cp932", "名前,年齢,住所\r\n佐藤太郎,30,東京\r\n"),
        ("euc_jp", "これは日本語の文章です。漢字とカタカナを含みます。"),
        ("iso2022_jp", "日本語です"),
        ("gb18030", "这是一个中文句子，包含常用汉字，用来测试编码识别。"),
        ("big5", "這是一個中文句子，包含常用漢字，用來測試編碼識別。"),
        ("cp949", "이것은 한국어 문장입니다. 인코딩을 시험합니다."),
    ],
)
def test_encodings(encoding: str, text: str) -> None:
    data = text.encode(encoding)
    found = encoding_of(data)
    assert found is not None
    assert data.decode(found) == text


def test_utf8_with_a_broken_place_is_utf8_and_a_cut_character_is_no_break() -> None:
    data = "Größe, Länge, Höhe, Tiefe, Fläche, Würfel, Kühlung, Öl, Äpfel, süß, schön".encode()
    assert encoding_of(data.replace(b"Tiefe", b"Tie\xffe")) == "utf-8"
    assert encoding_of(data[: data.index(b"\xc3") + 1], complete=False) == "utf-8"


@pytest.mark.parametrize(
    ("name", "data", "lies"),
    [
        ("x.pdf", b"\x89PNG\r\n\x1a\n", True),
        ("x.docx", b"%PDF-1.7", True),
        ("x.xls", b"just text", True),
        ("x.exe.txt", b"MZ" + bytes(70), True),
        ("x.docm", zipped({"word/document.xml": b""}), False),
        ("x.jar", zipped({"a": b""}), False),
        ("x.txt", b"# A\n\n**b**", False),
        ("no-ending", b"%PDF-1.7", False),
        ("x.pdf", b"", False),
    ],
    ids=lambda value: "bytes" if isinstance(value, bytes) else str(value),  # archives carry the time they were made
)
def test_lying_names_are_reported(name: str, data: bytes, lies: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    found = detect(path, name)
    assert (found.lie is not None) == lies
    if found.lie:
        assert found.media_type in found.lie


def test_containers(tmp_path: Path) -> None:
    assert kind_of(tmp_path, "folder") == FOLDER
    assert all(map(is_container, [FOLDER, "application/zip", "application/x-tar", "application/gzip"]))
    assert not any(map(is_container, [BY_ENDING["docx"], BY_ENDING["epub"], "message/rfc822", "text/plain", UNKNOWN]))
    assert (media_type_of_name("a.tar.GZ"), media_type_of_name("a"), media_type_of_name("a.")) == (
        "application/gzip",
        None,
        None,
    )


def test_an_encrypted_office_document_is_not_taken_for_an_old_one(test_data: Path) -> None:
    kinds = {kind_of(path, path.name) for path in test_data.rglob("*protected*.xls?")}
    assert ENCRYPTED_OFFICE in kinds


def test_real_documents_are_what_their_names_say(test_data: Path) -> None:
    """Names in the corpus are honest but for a few; a change for the worse here is a mistake of ours."""
    total, lies = 0, []
    for path in test_data.rglob("*"):
        if path.is_file():
            total += 1
            found = detect(path, path.name)
            if found.lie:
                lies.append(path.name)
    assert total > 500
    assert len(lies) < total * 0.01, lies


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(
        [b"", b"PK\3\4", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"%PDF-", b"\x1f\x8b\x08", b"<?xml", b"{", b"RIFF"]
    ),
    st.binary(max_size=700),
)
def test_any_bytes_are_something(tmp_path: Path, start: bytes, rest: bytes) -> None:
    assert "/" in look(start + rest, "x.docx", tmp_path)


def test_a_compound_file_that_turns_in_circles(tmp_path: Path) -> None:
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[24:34] = struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    header[44:56] = struct.pack("<LLL", 1, 0, 0)
    header[76:80] = struct.pack("<L", 0)
    sector = struct.pack("<L", 0) * 128  # every sector is followed by itself
    assert look(bytes(header) + sector * 4, "x.doc", tmp_path) == "application/x-ole-storage"


def test_looking_leaves_the_file_alone(tmp_path: Path) -> None:
    buffer = io.BytesIO(zipped({"a": b"x"}))
    path = tmp_path / "a.zip"
    path.write_bytes(buffer.getvalue())
    path.chmod(0o400)
    kind_of(path, "a.zip")
    assert path.read_bytes() == buffer.getvalue()
