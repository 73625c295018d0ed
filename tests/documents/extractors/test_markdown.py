from __future__ import annotations

from pathlib import Path

from tests.documents.making import read, stored, text_of
from workroom.documents.extractors.markdown import EXTRACTOR
from workroom.documents.types import ExtractionScope

PAGE = """---
title: "Guide"
tags: a, b
---
# One

Intro.

```sh
# no heading
```

Two
---

| a | b |
| --- | --- |
| 1 | x \\| y |

### Three ###

- item
"""


def test_headings_of_both_forms_make_sections_and_code_does_not(tmp_path: Path) -> None:
    structure = EXTRACTOR.scan(stored(tmp_path, PAGE))
    assert [(section.id, section.title, section.level) for section in structure.sections] == [
        ("s1", "One", 1),
        ("s1.1", "Two", 2),
        ("s1.1.1", "Three", 3),
    ]
    assert structure.properties == {"title": "Guide", "tags": "a, b"}
    assert structure.counts["tables"] == 1


def test_tables_stand_alone_and_keep_their_cells(tmp_path: Path) -> None:
    table = next(each for each in read(EXTRACTOR, stored(tmp_path, PAGE)) if each.metadata.get("table"))
    assert table.text.splitlines()[-1] == "| 1 | x \\| y |"
    assert (table.ref.location, table.ref.section_id) == ("lines:16-18", "s1.1")


def test_a_section_brings_the_ones_below_it(tmp_path: Path) -> None:
    text = text_of(read(EXTRACTOR, stored(tmp_path, PAGE), ExtractionScope(sections=frozenset({"s1.1"}))))
    assert "Three" in text
    assert "Intro" not in text


def test_code_keeps_its_lines(tmp_path: Path) -> None:
    assert "```sh\n# no heading\n```" in text_of(read(EXTRACTOR, stored(tmp_path, PAGE)))


def test_a_fence_that_is_never_closed_ends_with_the_file(tmp_path: Path) -> None:
    assert "still code" in text_of(read(EXTRACTOR, stored(tmp_path, "```\n" + "still code\n" * 10_000)))
