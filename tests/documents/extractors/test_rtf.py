from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import png, read, stored, text_of
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.rtf import EXTRACTOR


def rich(tmp_path: Path, body: str) -> str:
    return text_of(read(EXTRACTOR, stored(tmp_path, "{\\rtf1\\ansi\\ansicpg1252 " + body + "}")))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("plain\\par second", "plain\n\nsecond"),
        ("\\'fcber \\u8364\\'80 \\u-10179?\\u-8704?", "über € 😀"),
        ("{\\fonttbl{\\f0 Arial;}}{\\*\\generator Word;}{\\info{\\title T}}text", "text"),
        ("a\\{b\\}\\\\c\\~d", "a{b}\\c d"),
        ("{\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt link}}", "link"),
        ("shown{\\*\\htmltag <b>}\\htmlrtf hidden\\htmlrtf0  too", "shown too"),
    ],
)
def test_words_without_formatting(tmp_path: Path, body: str, expected: str) -> None:
    assert rich(tmp_path, body) == expected


def test_rows_of_cells_are_a_table(tmp_path: Path) -> None:
    body = "\\trowd\\intbl a\\cell b\\cell\\row\\trowd\\intbl 1\\cell 2\\cell\\row\\pard after\\par"
    assert rich(tmp_path, body) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nafter"


def test_pictures_are_objects(tmp_path: Path) -> None:
    source = stored(tmp_path, "{\\rtf1 {\\*\\shppict{\\pict\\pngblip\n" + png().hex() + "}}{\\nonshppict{\\pict 00}}}")
    (picture,) = read(EXTRACTOR, source)
    assert picture.metadata["mediaType"] == "image/png"
    assert EXTRACTOR.element(source, picture.ref.location).data == png()


def test_outline_levels_make_sections(tmp_path: Path) -> None:
    source = stored(tmp_path, "{\\rtf1\\pard\\outlinelevel0 Title\\par\\pard text\\par}")
    assert [section.title for section in EXTRACTOR.scan(source).sections] == ["Title"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{" * 50_000, ""),
        ("}" * 50_000, ""),
        ("\\", "}"),
        ("\\'", ""),
        ("\\u99999999999 x", "\ue3ff x"),
        ("\\ansicpg99999 \\'e4", "ä"),
    ],
)
def test_broken_ones_are_survived(tmp_path: Path, body: str, expected: str) -> None:
    assert rich(tmp_path, body) == expected


def test_what_is_no_rtf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument, match="no RTF"):
        EXTRACTOR.scan(stored(tmp_path, "plain text"))
