"""Web pages made from Markdown, read back by our own extractor and as a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.making import read, stored, text_of
from tests.documents.writers.making import MARKDOWN, drawn, report, words_in
from workroom.documents.errors import DocumentTooLarge, UnsupportedDocument
from workroom.documents.extractors.html import EXTRACTOR
from workroom.documents.types import ContentType
from workroom.documents.writers.files import document_of
from workroom.documents.writers.html.writer import POLICY, html_of
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat

PAGE = """
[TOC]

# Strategie

Ein *kursiver* **fetter** Satz[^1] mit `code` und [Link](https://example.com/?a=1&b="2").

1. Eins
   - innen
2. Zwei

5) Fünf

| Haus | Umsatz |
|:-----|-------:|
| Seehof | 12 |

Tabelle: Umsatz

![Das Haus](haus.png)

![weg](fehlt.png)

> Zitat

```python
print("<b>")
```

<script>alert(1)</script> <img src=x onerror=alert(1)> [böse](javascript:alert) [auch](data:text/html,x)

مرحبا بكم

### Tiefer

[^1]: Die *Fussnote*.
"""
EMPTY = ("meta", "br", "hr", "img")


def tree(made: bytes) -> Any:
    return lxml.html.document_fromstring(made.decode())


async def test_our_extractor_reads_back_what_it_says(tmp_path: Path) -> None:
    """Made in a child process, as the server does it."""
    made = await document_of(
        report(PAGE, section="Plan", note="Entwurf", pictures={"haus.png": drawn()}), DocumentFormat.HTML
    )
    source = stored(tmp_path, made, MEDIA_TYPES[DocumentFormat.HTML], "plan.html")
    structure = EXTRACTOR.scan(source)
    assert [(entry.level, entry.title) for entry in structure.toc] == [
        (1, "Alpenblick AG"), (2, "Plan"), (2, "Strategie"), (4, "Tiefer"),
    ]  # fmt: skip
    assert structure.properties["language"] == "de-CH"
    objects = read(EXTRACTOR, source)
    assert [found.content_type for found in objects].count(ContentType.IMAGE) == 1
    said = text_of(objects)
    for words in (
        "Ein *kursiver* **fetter** Satz",
        "1. Eins",
        "2. Zwei",
        "Seehof",
        "[Bild fehlt: weg]",
        'print("<b>")',
        "Die *Fussnote*.",
    ):
        assert words in said, words


def test_the_elements_are_those_that_it_means() -> None:
    root = tree(html_of(report(PAGE, pictures={"haus.png": drawn()})))
    assert (root.get("lang"), root.get("dir")) == ("de-CH", "ltr")
    assert root.xpath("//title/text()") == ["Alpenblick AG"]
    assert [one.get("start") for one in root.xpath("//main//ol")] == [None, "5"]
    assert root.xpath("//table/caption")[0].text_content() == "Tabelle 1: Umsatz"
    assert root.xpath("//thead//th/@scope") == ["col", "col"]
    assert root.xpath("//td/@class") == ["left", "right"]
    (image,) = root.xpath("//figure/img")
    assert image.get("alt") == "Das Haus"
    assert image.get("src").startswith("data:image/png;base64,")
    assert root.xpath("//figcaption")[0].text_content() == "Abbildung 1: Das Haus"
    assert root.xpath("//p[@dir='rtl']/text()") == ["مرحبا بكم"]
    assert tree(html_of(report("مرحبا\n\nمرحبا بكم\n\nhello"))).get("dir") == "rtl"
    for link in root.xpath("//nav//a/@href") + root.xpath("//sup/a/@href") + root.xpath("//li/a[@role]/@href"):
        assert len(root.xpath(f"//*[@id='{link[1:]}']")) == 1, link
    assert len(root.xpath("//nav//a")) == 2


def test_nothing_is_run_or_fetched() -> None:
    root = tree(html_of(report(PAGE, title='</title><script>x</script>"', pictures={"haus.png": drawn()})))
    _assert_harmless(root)
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == POLICY == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    links = [link for link in root.xpath("//a") if not link.get("href").startswith("#")]
    assert [link.get("href") for link in links] == ["https://example.com/?a=1&b=%222%22"]
    assert [link.get("rel") for link in links] == ["noopener noreferrer"]
    assert "url(" not in root.xpath("//style")[0].text
    assert "@import" not in root.xpath("//style")[0].text


@given(st.text(max_size=300) | MARKDOWN, st.text(max_size=40))
@settings(max_examples=60)
def test_any_text_makes_a_page_that_says_every_word(markdown: str, title: str) -> None:
    made = html_of(report(markdown, title, pictures={"big.png": drawn(8, 8)}))
    root = tree(made)
    _assert_harmless(root)
    said = " ".join([root.text_content(), *root.xpath("//img/@alt")])
    for word in words_in(markdown):
        assert word in said, word


def _assert_harmless(root: Any) -> None:
    assert not root.xpath(
        "//script | //iframe | //object | //embed | //link | //base | //form | //svg | //img[not(starts-with(@src,'data:'))]"
    )
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or name in ("style", "srcset", "action")]
        assert (element.get("href") or "#").startswith(("#", "https:", "http:", "mailto:"))


def test_what_no_page_is_made_of_says_so() -> None:
    with pytest.raises(UnsupportedDocument, match="no template"):
        html_of(report(PAGE, template=b"x"))
    with pytest.raises(DocumentTooLarge, match="10,002 rows"):
        html_of(report("|a|\n|-|\n" + "|x|\n" * 10_001))


def test_nested_without_end_it_is_still_a_page() -> None:
    for markdown in ("> " * 3_000 + "x", "- " * 2_000 + "x", "*" * 4_000 + "x" + "*" * 4_000, "[" * 3_000):
        assert len(html_of(report(markdown))) > 1_000
