from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.documents.making import png, read, stored, text_of
from workroom.core.errors import NotFound
from workroom.documents.errors import DocumentTooLarge
from workroom.documents.extractors import html as html_module
from workroom.documents.extractors.html import EXTRACTOR
from workroom.documents.types import ContentType, ExtractionScope


def page(tmp_path: Path, body: str) -> str:
    return text_of(read(EXTRACTOR, stored(tmp_path, f"<html><body>{body}</body></html>")))


def test_headings_make_sections_and_the_head_properties(tmp_path: Path) -> None:
    source = stored(
        tmp_path,
        '<html lang="de"><head><title>Seite</title><meta name="author" content="Ann"></head>'
        "<body><h1>Eins</h1><p>Text</p><h3>Drei</h3><p>Mehr</p></body></html>",
    )
    structure = EXTRACTOR.scan(source)
    assert [(section.id, section.title) for section in structure.sections] == [("s1", "Eins"), ("s1.1", "Drei")]
    assert structure.properties == {"title": "Seite", "author": "Ann", "language": "de"}
    assert text_of(read(EXTRACTOR, source, ExtractionScope(sections=frozenset({"s1.1"})))) == "### Drei\n\nMehr"


def test_lists_links_and_emphasis_as_markdown(tmp_path: Path) -> None:
    body = '<ol><li>one<li><b>two </b>and <a href="/x">more</a></ol><ul><li>a<ul><li>b</ul></ul>'
    assert page(tmp_path, body) == "1. one\n2. **two** and [more](/x)\n- a\n  - b"


def test_code_keeps_its_spaces(tmp_path: Path) -> None:
    assert page(tmp_path, "<pre>if x:\n    y()</pre>") == "```\nif x:\n    y()\n```"


def test_cells_that_span_say_it_once_in_each_row(tmp_path: Path) -> None:
    body = "<table><tr><th rowspan=2>A<th colspan=2>B</tr><tr><th>b1<th>b2</tr><tr><td>1<td>2<td>x | y</tr></table>"
    assert page(tmp_path, body).splitlines() == [
        "| A | B |  |",
        "| --- | --- | --- |",
        "| A | b1 | b2 |",
        "| 1 | 2 | x \\| y |",
    ]


def test_tables_that_only_place_text_are_read_as_text(tmp_path: Path) -> None:
    inner = "<h2>Title</h2><p>" + "Long text. " * 100 + "</p><table><tr><td>k<td>v</tr><tr><td>1<td>2</tr></table>"
    text = page(tmp_path, f"<table><tr><td>menu</td><td>{inner}</td></tr></table>")
    assert "## Title" in text
    assert "| k | v |" in text


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert('bad')</script>",
        "<style>bad {}</style>",
        "<div hidden>bad</div>",
        "<p style='display: none'>bad</p>",
        "<iframe src='https://bad.example'>bad</iframe>",
        "<template>bad</template>",
        "<noscript><img src='https://bad.example/pixel'></noscript>",
    ],
)
def test_what_nobody_sees_is_not_read(tmp_path: Path, hostile: str) -> None:
    assert page(tmp_path, f"<p>before</p>{hostile}<p>after</p>") == "before\n\nafter"


def test_script_addresses_are_no_links(tmp_path: Path) -> None:
    assert page(tmp_path, '<a href="javascript:alert(1)">click</a>') == "click"


def test_pictures_elsewhere_are_named_and_those_inside_are_objects(tmp_path: Path) -> None:
    inside = base64.b64encode(png(3, 2)).decode()
    source = stored(
        tmp_path,
        f'<p>See <img src="https://example.org/a.png" alt="A map"></p><img src="data:image/png;base64,{inside}" alt="B">',
    )
    found = read(EXTRACTOR, source)
    assert found[0].text == "See ![A map](https://example.org/a.png)"
    assert (found[1].content_type, found[1].ref.location, found[1].ref.label) == (ContentType.IMAGE, "image:1", "B")
    assert found[1].metadata == {"mediaType": "image/png", "bytes": len(png(3, 2)), "width": 3, "height": 2}
    assert EXTRACTOR.element(source, "image:1").data == png(3, 2)
    with pytest.raises(NotFound):
        EXTRACTOR.element(source, "image:2")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "shift_jis"])
def test_the_declared_or_visible_encoding_is_used(tmp_path: Path, encoding: str) -> None:
    word = "日本語のテキスト" if encoding == "shift_jis" else "Größe für Möbel"
    data = f'<html><head><meta charset="{encoding}"></head><body><p>{word}</p></body></html>'.encode(encoding)
    assert text_of(read(EXTRACTOR, stored(tmp_path, data))) == word


def test_nesting_without_end_is_survived(tmp_path: Path) -> None:
    assert page(tmp_path, "<div>" * 50_000 + "deep").strip() in ("", "deep")


@pytest.mark.parametrize(
    ("body", "beginning", "longest"),
    [
        ("<h1>a<b\x03c>b</h1>", "# ab", 4),
        ('<img src="data:image/png;base64,\xe9\xe9">', "", 0),
        ("<table><tr><td colspan=99999999>x</table>", "| x |  |", 10_000),
    ],
)
def test_broken_pages_are_survived(tmp_path: Path, body: str, beginning: str, longest: int) -> None:
    text = page(tmp_path, body)
    assert text.startswith(beginning)
    assert len(text) <= longest


def test_too_large_a_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_module, "MAX_BYTES", 10)
    with pytest.raises(DocumentTooLarge):
        EXTRACTOR.scan(stored(tmp_path, "<p>more than ten bytes</p>"))
