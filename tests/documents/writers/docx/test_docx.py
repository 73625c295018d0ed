"""DOCX made from Markdown, read back by our own extractor; and what is inside it, which Word would have to open."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.documents.docx.making import MEDIA_TYPE, said
from tests.documents.making import stored
from tests.documents.writers.docx.making import parts
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.documents.writers.docx.writer import docx_of
from workroom.documents.writers.files import document_of
from workroom.documents.writers.process import DocumentNotMade
from workroom.documents.writers.report import DocumentFormat, Report, ReportSection

MARKDOWN = """
# Strategy

Some *italic*, **bold** and `code` with a [link](https://example.com/ä?q=1&x=<y>).

## Steps

1. First
   - inner
     1. deep
   - other
2. Second

Between.

5. Five
6. Six

- [ ] a
- b

> Quoted **text**

| Name | Amount |
|:-----|------:|
| Rent | 1 200 |
| a \\| b | **x** |

```
## no heading
  <w:p/>
```

![logo](https://example.com/pixel.png) and <b onclick="x">html</b>

### Deeper
"""


def report(markdown: str, title: str = "Alpenblick AG") -> Report:
    section = ReportSection(title="Plan", note="Draft", markdown=markdown)
    return Report(title=title, lines=["18.11.2026"], language="de", sections=[section])


async def test_our_extractor_reads_back_headings_lists_and_tables(tmp_path: Path) -> None:
    """Made in a child process, as the server does it."""
    file = stored(tmp_path, await document_of(report(MARKDOWN), DocumentFormat.DOCX), MEDIA_TYPE, "plan.docx")
    toc = [(entry.level, entry.title) for entry in EXTRACTOR.scan(file).toc]
    assert toc == [(1, "Plan"), (1, "Strategy"), (2, "Steps"), (3, "Deeper")]
    text = said(file)
    assert "Some italic, bold and code with a" in text
    lines = [line.rstrip() for line in text.splitlines()]
    for line in ("1. First", "  - inner", "    1. deep", "  - other", "2. Second", "5. Five", "6. Six", "- b"):
        assert line in lines, line
    assert [line for line in lines if "Rent" in line or "Amount" in line or "a | b" in line or r"a \| b" in line]
    assert "1 200" in text
    assert "Quoted text" in text
    assert "## no heading" in text
    assert '<b onclick="x">html</b>' in text


def test_only_links_lead_out_and_nothing_is_loaded() -> None:
    hostile = (
        MARKDOWN + "\n[a](javascript:x) [b](file:///etc/passwd) [c](https://exa mple) [d](<https://[>) [e](//host/x)\n"
    )
    made = parts(docx_of(report(hostile)))
    relations = etree.fromstring(made["word/_rels/document.xml.rels"].encode())
    outside = [one.get("Target") for one in relations if one.get("TargetMode") == "External"]
    assert outside == ["https://example.com/%C3%A4?q=1&x=%3Cy%3E"]
    assert "pixel.png" not in "".join(made.values())
    assert all("onclick" not in text or name == "word/document.xml" for name, text in made.items())


@given(st.text(max_size=400), st.text(max_size=60))
def test_any_text_makes_a_well_formed_file_that_says_it(markdown: str, title: str) -> None:
    made = parts(docx_of(report(markdown, title)))
    for name, content in made.items():
        etree.fromstring(content.encode())
        assert name == "word/_rels/document.xml.rels" or "TargetMode" not in content
    names = etree.fromstring(made["[Content_Types].xml"].encode())
    assert {one.get("PartName", "").lstrip("/") for one in names} - {""} <= made.keys()


def test_nested_without_end_it_is_still_a_file() -> None:
    for markdown in (
        "> " * 3_000 + "x",
        "- " * 2_000 + "x",
        "*" * 4_000 + "x" + "*" * 4_000,
        "[" * 3_000,
        "| a " * 60 + "|\n" + "|-" * 60 + "|\n",
    ):
        assert len(docx_of(report(markdown))) > 1_000


async def test_what_takes_too_long_is_said() -> None:
    with pytest.raises(DocumentNotMade, match="too long"):
        await document_of(report("x"), DocumentFormat.DOCX, seconds=0.001)
