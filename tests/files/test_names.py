"""What files, tags and rules are called, for any text somebody may come up with (S10)."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput
from workroom.core.paths import DECEPTIVE, safe_join, safe_name
from workroom.files import folder_rules, globs
from workroom.files.names import (
    LONGEST_NAME,
    UNKNOWN_TYPE,
    clean_file_name,
    clean_media_type,
    clean_tags,
    numbered,
    split,
)

ANY = st.text(st.characters(codec=None), max_size=300)


@given(ANY)
@example("../../etc/passwd")
@example("..")
@example("a\u0000b")
@example("report\u202efdp.exe")
@example("\ud800")
@example("U\u0308berblick.pdf")
@example("👩‍🔬.txt")
def test_a_name_that_is_taken_is_plain_and_stays_the_same(text: str) -> None:
    try:
        name = clean_file_name(text)
    except InvalidInput:
        return
    assert 1 <= len(name) <= LONGEST_NAME
    assert name == unicodedata.normalize("NFC", name) == clean_file_name(name)
    assert not any(char in "/\\" or unicodedata.category(char) in ("Cc", "Cs") or char in DECEPTIVE for char in name)
    assert name.strip(". ")
    name.encode()
    # Saved by whoever downloads it, it stays in the folder it is saved to.
    root = Path("/nowhere/at all")
    assert safe_join(root, safe_name(name)).parent == root


@pytest.mark.parametrize(
    "text", ["ü" * 251 + ".pdf", "U\u0308" * 255, "📈" * 255, "名" * 255, "report.pdf", ".env", "a"]
)
def test_names_of_255_characters_are_names(text: str) -> None:
    assert len(clean_file_name(text)) <= 255


@pytest.mark.parametrize(
    "text", ["", " ", ".", "..", "...", "a/b", "a\\b", "a\nb", "a\x7f", "ü" * 256, "\u202e", "\u2028"]
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        clean_file_name(text)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=255), st.integers(0, 12))
def test_numbered_names_are_free_and_never_too_long(name: str, count: int) -> None:
    taken: set[str] = set()
    for _ in range(count):
        taken.add(numbered(name, taken))
    assert len(taken) == count
    assert all(len(other) <= LONGEST_NAME for other in taken)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("report.pdf", ("report", ".pdf")),
        (".env", (".env", "")),
        ("a.tar.gz", ("a.tar", ".gz")),
        ("Dr. Meier", ("Dr. Meier", "")),
        ("x.", ("x.", "")),
        ("plain", ("plain", "")),
    ],
)
def test_where_a_name_ends(name: str, parts: tuple[str, str]) -> None:
    assert split(name) == parts


def test_numbers_stand_before_the_ending() -> None:
    assert numbered("report.pdf", {"report.pdf", "report (2).pdf"}) == "report (3).pdf"
    long = numbered("ü" * 251 + ".pdf", {"ü" * 251 + ".pdf"})
    assert (len(long), long.endswith("ü (2).pdf")) == (255, True)


def test_tags_are_normalised() -> None:
    assert clean_tags(["  Finanzen ", "Q4   2026", "U\u0308ber", "eis"]) == ["eis", "Finanzen", "Q4 2026", "Über"]
    assert clean_tags(["finanzen", "STRASSE", "Finanzen", "Straße"]) == ["Finanzen", "Straße"], (
        "one spelling each, the last"
    )
    for wrong in (["x" * 51], [""], [f"t{n}" for n in range(51)], ['a"b'], ["a\x00"]):
        with pytest.raises(InvalidInput):
            clean_tags(wrong)


@given(st.lists(st.text(max_size=60), max_size=60))
def test_tags_taken_once_are_taken_again_as_they_are(tags: list[str]) -> None:
    try:
        cleaned = clean_tags(tags)
    except InvalidInput:
        return
    assert clean_tags(cleaned) == cleaned


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Image/PNG", "image/png"),
        ("text/html; charset=utf-8", "text/html"),
        (None, UNKNOWN_TYPE),
        ("", UNKNOWN_TYPE),
        ("pdf", UNKNOWN_TYPE),
        ("text/html\r\nSet-Cookie: x", UNKNOWN_TYPE),
        ("a/" + "b" * 200, UNKNOWN_TYPE),
    ],
)
def test_media_types(said: str | None, kept: str) -> None:
    assert clean_media_type(said) == kept


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("*.csv", "Sales.CSV", True),
        ("*.csv", "csv", False),
        ("report-??.pdf", "report-12.pdf", True),
        ("report-??.pdf", "report-1.pdf", False),
        ("*a*b*", "xxaxxbxx", True),
        ("*a*b", "ab a", False),
        ("[a]*", "a", False),
        ("100%*", "100% done", True),
        ("", "", True),
        ("*", "", True),
    ],
)
def test_patterns(pattern: str, name: str, fits: bool) -> None:
    assert globs.matches(pattern, name) is fits


def test_a_hostile_pattern_is_quick() -> None:
    assert not globs.matches("*a" * 120, "a" * 119 + "b" * 2000)


RULES = [
    ("tag:financial", "tag:financial"),
    ("TAG : Financial AND type:.PDF", "tag:Financial and type:pdf"),
    ('tag:"research and development" and name:*.csv', 'tag:"research and development" and name:*.csv'),
    ("name:and and tag:and", "name:and and tag:and"),
]


@pytest.mark.parametrize(("text", "stored"), RULES)
def test_rules_are_read_and_written_the_same(text: str, stored: str) -> None:
    assert str(folder_rules.parse(text)) == stored == str(folder_rules.parse(stored))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "financial",
        "tag:",
        "tag:a or tag:b",
        "tag:a and",
        "and tag:a",
        "tag:a tag:b",
        "size:5",
        'tag:"a',
        "tag:" + "x" * 600,
    ],
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        folder_rules.parse(text)


@given(st.text(max_size=80))
@example('name:"a b" and type:x')
def test_any_rule_that_is_taken_is_stable(text: str) -> None:
    try:
        rule = folder_rules.parse(text)
    except InvalidInput:
        return
    assert folder_rules.parse(str(rule)) == rule


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ("tag:money", True),
        ("tag:mone", False),
        ("type:pdf", True),
        ("type:application/pdf", True),
        ("type:application", True),
        ("type:image", False),
        ("name:*2026*", True),
        ("tag:money and type:pdf and name:R*", True),
        ("tag:money and type:csv", False),
    ],
)
def test_what_rules_say(rule: str, fits: bool) -> None:
    assert folder_rules.parse(rule).fits("Report 2026.pdf", "application/pdf", ["money", "q4"]) is fits


def test_an_ending_counts_when_the_type_is_unknown() -> None:
    assert folder_rules.parse("type:csv").fits("a.CSV", UNKNOWN_TYPE, [])
