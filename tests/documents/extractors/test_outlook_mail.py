from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from tests.documents.corpus import source
from tests.documents.making import read, stored, text_of
from workroom.documents.compressed_rtf import unpacked_rtf
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.outlook_mail import EXTRACTOR
from workroom.documents.outlook_message import OutlookMessage
from workroom.documents.rtf_reader import RtfReader

KIND = "application/vnd.ms-outlook"
# The example of the format's description (MS-OXRTFCP 4.1).
PACKED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c09002062"
    "7705b06c647d0a800fa0"
)  # fmt: skip
UNPACKED = b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


class Compound:
    """As much of a compound file as a message is read from."""

    def __init__(self, streams: dict[str, bytes]) -> None:
        self._streams = {tuple(name.split("/")): data for name, data in streams.items()}

    def exists(self, path: list[str]) -> bool:
        return any(name[: len(path)] == tuple(path) for name in self._streams)

    def get_size(self, path: list[str]) -> int:
        return len(self._streams[tuple(path)])

    def openstream(self, path: list[str]) -> object:
        return io.BytesIO(self._streams[tuple(path)])

    def listdir(self, *, streams: bool, storages: bool) -> list[list[str]]:
        return [list(name) for name in self._streams]


def text(value: str) -> bytes:
    return value.encode("utf-16-le")


def test_a_real_message_has_headers_body_and_attachments(test_data: Path) -> None:
    message = source(test_data / "docling/email/sources/msg_with_attachment.msg", KIND)
    found = read(EXTRACTOR, message)
    assert found[0].text.startswith("From: Alice Example <alice@example.com>\nTo: Bob Example")
    assert "Date: 2026-05-20 10:30:00+00:00" in found[0].text
    assert [each.ref.label for each in found[2:]] == ["test.txt", "report.pdf"]
    assert EXTRACTOR.element(message, found[2].ref.location).media_type == "text/plain"


def test_old_texts_are_read_in_the_code_page_of_the_message() -> None:
    page = struct.pack("<HHIQ", 0x0003, 0x3FFD, 0, 1251)
    compound = Compound(
        {"__properties_version1.0": b"\0" * 32 + page, "__substg1.0_0037001E": "Привет".encode("cp1251")}
    )
    assert OutlookMessage(compound).headers() == {"subject": "Привет"}


def test_a_message_inside_is_a_message() -> None:
    inner = "__attach_version1.0_#00000000/__substg1.0_3701000D"
    compound = Compound(
        {
            "__properties_version1.0": b"\0" * 32,
            "__substg1.0_0037001F": text("outer"),
            f"{inner}/__properties_version1.0": b"\0" * 24,
            f"{inner}/__substg1.0_0037001F": text("inner"),
        }
    )
    (attached,) = OutlookMessage(compound).attachments()
    assert attached.message is not None
    assert attached.message.headers() == {"subject": "inner"}


def test_packed_rich_text_is_unpacked_as_its_description_says() -> None:
    assert unpacked_rtf(PACKED) == UNPACKED
    assert [block.text for block in RtfReader(UNPACKED.decode()).blocks()] == ["hello world"]


@pytest.mark.parametrize("length", range(len(PACKED)))
def test_packed_rich_text_may_end_anywhere(length: int) -> None:
    assert UNPACKED.startswith(unpacked_rtf(PACKED[:length]))


@pytest.mark.parametrize("content", [b"", b"no compound file", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000])
def test_what_is_no_message_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, content, KIND))


def test_a_message_cut_anywhere_is_read_or_refused(test_data: Path, tmp_path: Path) -> None:
    whole = (test_data / "unstructured/fake-email-attachment.msg").read_bytes()
    lines = set(text_of(read(EXTRACTOR, stored(tmp_path, whole, KIND))).splitlines())
    refused = 0
    for length in range(0, len(whole), 997):
        try:
            text = text_of(read(EXTRACTOR, stored(tmp_path, whole[:length], KIND)))
        except DamagedDocument:
            refused += 1
        else:
            assert set(text.splitlines()) <= lines, "nothing is read that the whole message does not say"
    assert refused > 0
