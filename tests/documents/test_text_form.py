"""The form in which a text lies in a file: what was not changed keeps its bytes, and every text comes back as it was stored."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.text_form import LineEnds, NoText, TextForm, plain

pytestmark = pytest.mark.requirement("J3")

# Letters of several alphabets, what is not a character anywhere else, and every kind of line end.
TEXTS = st.lists(
    st.sampled_from(["a", "Zürich", "é", "€", "→", "数", "\ufeff", "\x1b$B", " ", "\n", "\r\n", "\r"]), max_size=30
)
CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1", "cp1251", "gb18030", "cp932"]


def bytes_of(text: str, codec: str) -> bytes:
    return text.encode(codec, "ignore")


@given(TEXTS, st.sampled_from(CODECS))
def test_what_is_read_and_stored_again_is_the_same_bytes(parts: list[str], codec: str) -> None:
    data = bytes_of("".join(parts), codec)
    try:
        form = TextForm.read(data)
    except NoText:
        return
    assert form.with_text(form.text) == (data, form)


@given(TEXTS, st.sampled_from(CODECS), TEXTS)
def test_every_text_comes_back_as_it_was_stored(parts: list[str], codec: str, other: list[str]) -> None:
    text = "".join(other)
    try:
        data, stored = TextForm.read(bytes_of("".join(parts), codec)).with_text(text)
    except NoText:
        return
    assert TextForm.read(data) == stored
    assert stored.text == plain(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_text_that_stays_the_same_or_no_text(data: bytes) -> None:
    try:
        form = TextForm.read(data)
    except NoText:
        return
    assert form.with_text(form.text)[0] == data


@pytest.mark.parametrize(
    ("before", "after", "stored"),
    [
        ("Grüße aus Köln\r\n".encode("cp1252"), "Grüße aus Zürich\n", "Grüße aus Zürich\r\n".encode("cp1252")),
        (codecs.BOM_UTF8 + b"a\r\nb", "a\nc", codecs.BOM_UTF8 + b"a\r\nc"),
        (codecs.BOM_UTF16_BE + "é\r\n".encode("utf-16-be"), "→\n", codecs.BOM_UTF16_BE + "→\r\n".encode("utf-16-be")),
        (
            codecs.BOM_UTF16_LE + "one\r\ntwo".encode("utf-16-le"),
            "1\ntwo",
            codecs.BOM_UTF16_LE + "1\r\ntwo".encode("utf-16-le"),
        ),
        (b"a\rb", "a\nb\nc", b"a\rb\rc"),
        (b"", "a\nb\n", b"a\nb\n"),
        (b"one line", "two\nlines", b"two\nlines"),
    ],
)
def test_a_change_keeps_encoding_mark_and_line_ends(before: bytes, after: str, stored: bytes) -> None:
    assert TextForm.read(before).with_text(after)[0] == stored


def test_lines_that_were_not_changed_keep_their_own_ends() -> None:
    form = TextForm.read(b"1\r\n2\n3\n4\n5\r\n6")
    assert form.line_ends is LineEnds.MIXED
    assert form.with_text("1\n2\nnew\nnew\n4\n5\n6")[0] == b"1\r\n2\nnew\nnew\n4\n5\r\n6"
    assert form.with_text("1\n6")[0] == b"1\r\n6"


@given(st.lists(st.sampled_from(["Zürich", "roof", "", "a b"]), min_size=1, max_size=9), st.data())
def test_lines_that_stay_keep_their_ends_and_new_ones_get_the_usual_one(words: list[str], data: st.DataObject) -> None:
    own = [data.draw(st.sampled_from(["\n", "\r\n", "\r"])) for _ in words]
    before = [f"{number} {word}" for number, word in enumerate(words)]
    form = TextForm.read("".join(line + end for line, end in zip(before, own, strict=True)).encode())
    at = data.draw(st.integers(0, len(words)))
    made = form.with_text("\n".join([*before[:at], "new", *before[at:], ""]))[0].decode()
    ends = [*own[:at], max(dict.fromkeys(own), key=own.count), *own[at:]]
    assert made == "".join(line + end for line, end in zip([*before[:at], "new", *before[at:]], ends, strict=True))


def test_an_empty_line_between_two_kinds_of_ends_stays() -> None:
    """A CR that ends a line and an LF that ends the next, empty one would be read as one end."""
    assert TextForm.read(TextForm.read(b"a\rb\nc\n").with_text("a\n\nc\n")[0]).text == "a\n\nc\n"


def test_a_character_the_encoding_lacks_makes_it_utf_8() -> None:
    data, form = TextForm.read("Grüße aus Köln\r\n".encode("cp1252")).with_text("Grüße → Köln\n")
    assert (data, form.encoding, form.mark) == ("Grüße → Köln\r\n".encode(), "utf-8", b"")


def test_what_tells_the_encoding_may_stand_far_below() -> None:
    data = b"plain\n" * 20_000 + "Grüße aus Köln, schöne Städte überall\n".encode("latin-1")
    form = TextForm.read(data)
    assert form.text.endswith("Grüße aus Köln, schöne Städte überall\n")
    assert form.with_text(form.text)[0] == data


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"text\n" * 20_000 + b"\0", b"Gr\xc3\xbc\xc3\xbc\xc3\xbc" * 20 + b"\xff"]
)
def test_what_is_no_text_is_not_taken_for_one(data: bytes) -> None:
    with pytest.raises(NoText):
        TextForm.read(data)
