"""A text that is changed keeps everything else: its encoding, its mark, the ends of its lines."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput
from workroom.documents.editable_text import NO_TEXT, EditableText, read_editable

lines = st.lists(st.sampled_from(["Zürich", "roof", "", "a b"]), min_size=1, max_size=9)
ends = st.sampled_from(["\n", "\r\n", "\r"])


@given(lines, st.data())
def test_lines_that_stay_keep_their_ends_and_new_ones_get_the_usual_one(words: list[str], data: st.DataObject) -> None:
    own = [data.draw(ends) for _ in words]
    numbered = [f"{number} {word}" for number, word in enumerate(words)]
    stored = "".join(line + end for line, end in zip(numbered, own, strict=True)).encode()
    read = read_editable(stored)
    assert read.encoded(read.text) == stored
    at = data.draw(st.integers(0, len(words)))
    made = read.encoded("\n".join([*numbered[:at], "new", *numbered[at:], ""])).decode()
    usual = max(dict.fromkeys(own), key=own.count)
    assert made == "".join(
        line + end
        for line, end in zip([*numbered[:at], "new", *numbered[at:]], [*own[:at], usual, *own[at:]], strict=True)
    )


@pytest.mark.parametrize(
    ("stored", "text", "changed"),
    [
        (b"one\r\ntwo\r\n", "one\ntwo\n", b"one\r\n2\r\n"),
        (codecs.BOM_UTF8 + b"one\ntwo", "one\ntwo", codecs.BOM_UTF8 + b"one\n2"),
        ("Gr\u00fc\u00dfe\ntwo".encode("latin-1"), "Gr\u00fc\u00dfe\ntwo", "Gr\u00fc\u00dfe\n2".encode("latin-1")),
        (
            codecs.BOM_UTF16_LE + "one\r\ntwo".encode("utf-16-le"),
            "one\ntwo",
            codecs.BOM_UTF16_LE + "one\r\n2".encode("utf-16-le"),
        ),
        (b"one\rtwo", "one\ntwo", b"one\r2"),
        (b"two", "two", b"2"),
    ],
)
def test_encoding_mark_and_line_ends_stay(stored: bytes, text: str, changed: bytes) -> None:
    read = read_editable(stored)
    assert read.text == text
    assert read.encoded(text.replace("two", "2")) == changed


def test_a_character_that_the_encoding_does_not_have_is_named() -> None:
    read = read_editable("Gr\u00fc\u00dfe".encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"cp1252, which does not have the character '\\u4f60'"):
        read.encoded("你好")
    with pytest.raises(InvalidInput, match="does not have the character"):
        EditableText("").encoded("half a character: \ud83d")
    with pytest.raises(InvalidInput, match="NUL"):
        EditableText("").encoded("a\0b")


@pytest.mark.parametrize(
    "stored",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        bytes(range(256)),
        b"a\x00b",
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF8 + b"broken \xff",
        b"\x01\x02\x03\x04\x05\x06",
    ],
)
def test_what_is_no_text_is_refused(stored: bytes) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_editable(stored)
    assert caught.value.message == NO_TEXT
