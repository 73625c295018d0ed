from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.documents.making import png, read, stored, text_of
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.mail import EXTRACTOR
from workroom.documents.types import ContentType


def mail(subject: str = "Grüsse") -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Änn <ann@example.org>"
    made["To"] = "bob@example.org"
    made["Date"] = "Tue, 01 Oct 2024 12:34:56 -0500"
    made["Subject"] = subject
    made.set_content("Hello\n> quoted\n")
    return made


def test_headers_body_and_attachments(tmp_path: Path) -> None:
    made = mail()
    made.add_alternative("<p>Hello <b>in HTML</b></p>", subtype="html")
    made.add_attachment(png(), maintype="application", subtype="octet-stream", filename="plän.png")
    source = stored(tmp_path, made.as_bytes())
    headers, body, picture = read(EXTRACTOR, source)
    assert headers.text.splitlines() == [
        "From: Änn <ann@example.org>",
        "To: bob@example.org",
        "Date: Tue, 01 Oct 2024 12:34:56 -0500",
        "Subject: Grüsse",
    ]
    assert (body.text, body.ref.location) == ("Hello\n> quoted", "part:1.1")
    assert picture.content_type is ContentType.IMAGE
    assert picture.metadata["mediaType"] == "image/png"
    assert picture.ref.label == "plän.png"
    element = EXTRACTOR.element(source, picture.ref.location)
    assert (element.data, element.media_type, element.name) == (png(), "image/png", "plän.png")
    assert EXTRACTOR.scan(source).counts == {"attachments": 1, "textBlocks": 1}


def test_html_is_read_where_there_is_no_plain_text(tmp_path: Path) -> None:
    made = EmailMessage()
    made["Subject"] = "x"
    made.set_content("<h1>Title</h1><script>bad()</script><p>Text</p>", subtype="html")
    assert read(EXTRACTOR, stored(tmp_path, made.as_bytes()))[-1].text == "# Title\n\nText"


def test_a_mail_in_a_mail_is_an_attachment_that_can_be_opened(tmp_path: Path) -> None:
    outer = mail("outer")
    outer.add_attachment(mail("inner"))
    source = stored(tmp_path, outer.as_bytes())
    inner = read(EXTRACTOR, source)[-1]
    assert inner.metadata["mediaType"] == "message/rfc822"
    opened = stored(tmp_path, EXTRACTOR.element(source, inner.ref.location).data, name="inner.eml")
    assert EXTRACTOR.scan(opened).properties["subject"] == "inner"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"Content-Type: text/plain; charset=x-unknown\n\nGr\xc3\xbcsse", "Grüsse"),
        (b"Content-Type: text/plain; charset=utf-8\n\nGr\xfcsse an alle", "Grüsse an alle"),
        (b"Content-Transfer-Encoding: base64\n\n!!! no base64 !!!", ""),
        (b"Content-Type: multipart/mixed; boundary=nowhere\n\nbody without a boundary", "body without a boundary"),
        ("From: a@b.c\nSubject: wide\n\nWide body".encode("utf-16"), "Wide body"),
    ],
)
def test_broken_encodings_are_read_as_far_as_they_go(tmp_path: Path, raw: bytes, expected: str) -> None:
    source = stored(tmp_path, raw if raw.startswith(b"\xff") else b"From: a@b.c\n" + raw)
    EXTRACTOR.scan(source)
    assert expected in text_of(read(EXTRACTOR, source))


def test_headers_that_cannot_be_decoded_are_shown_as_they_are(tmp_path: Path) -> None:
    source = stored(tmp_path, b"From: =?utf-8?B?!!?=\nSubject: =?nonsense?Q?a=FFb?=\n\nbody")
    assert "body" in text_of(read(EXTRACTOR, source))


def test_parts_in_parts_without_end_are_survived(tmp_path: Path) -> None:
    lines = [b"From: a@b.c"]
    for depth in range(300):
        lines += [b"Content-Type: multipart/mixed; boundary=b%d" % depth, b"", b"--b%d" % depth]
    source = stored(tmp_path, b"\n".join([*lines, b"Content-Type: text/plain", b"", b"deep"]))
    assert EXTRACTOR.scan(source).counts["attachments"] == 1, "what lies deeper is one attachment"
    assert "deep" not in text_of(read(EXTRACTOR, source))


def test_an_encrypted_mail_says_so(tmp_path: Path) -> None:
    raw = b"From: a@b.c\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\n1\n--x--"
    assert "encrypted" in EXTRACTOR.scan(stored(tmp_path, raw)).notes[0]


def test_an_empty_file_is_no_mail(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument, match="empty"):
        EXTRACTOR.scan(stored(tmp_path, " \n"))


def test_bodies_are_no_elements(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        EXTRACTOR.element(stored(tmp_path, mail().as_bytes()), "part:1")
