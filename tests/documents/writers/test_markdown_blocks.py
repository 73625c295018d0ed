"""Markdown as blocks: what the writers of every format begin with."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.writers.manuscript import pictures_named, report_of
from workroom.documents.writers.markdown_blocks import blocks_of, plain_text


def kinds(markdown: str) -> list[str]:
    return [block["kind"] for block in blocks_of(markdown)]


def footnotes(value: Any) -> list[str]:
    match value:
        case {"kind": "footnote", "inline": inline}:
            return [plain_text(inline)]
        case dict():
            return [note for item in value.values() for note in footnotes(item)]
        case list():
            return [note for item in value for note in footnotes(item)]
    return []


def test_a_footnote_stands_where_it_is_referred_to() -> None:
    blocks = blocks_of("One[^a] and two[^b], and one again[^a].\n\n[^a]: First *note*.\n[^b]: Second\n\n    goes on.\n")
    assert len(blocks) == 1
    assert footnotes(blocks) == ["First note.", "Second goes on."]
    assert plain_text(blocks[0]["inline"]) == "One and two, and one again¹."


@pytest.mark.parametrize("markdown", ["x[^a]\n\n[^a]: y[^a]", "x[^a]\n\n[^a]: y[^b]\n[^b]: z[^a]", "x[^nowhere]"])
def test_a_note_that_contains_itself_ends(markdown: str) -> None:
    assert json.dumps(blocks_of(markdown))


def test_notes_that_refer_to_notes_are_read_once_each() -> None:
    """Each by each of two before it would be a million of them."""
    deep = "a[^1]\n\n" + "".join(f"[^{n}]: [^{n + 1}][^{n + 1}]\n\n" for n in range(1, 20)) + "[^20]: x\n"
    assert len(footnotes(blocks_of(deep))) == 1
    many = blocks_of("[^1]" * 2_000 + "\n\n[^1]: x\n")
    assert len(footnotes(many)) == 1
    assert len(json.dumps(many)) < 200_000


def test_a_caption_between_two_tables_is_that_of_the_one_below() -> None:
    one, other = blocks_of("|a|\n|-|\n|1|\n\nTable: Second\n\n|b|\n|-|\n|2|")
    assert (plain_text(one["caption"]), plain_text(other["caption"])) == ("", "Second")


def test_figures_captions_contents_and_page_breaks() -> None:
    assert kinds("[TOC]\n\n\\pagebreak\n\n<!-- toc -->\n\n\\newpage\n\ntext") == [
        "contents",
        "pageBreak",
        "contents",
        "pageBreak",
        "paragraph",
    ]
    figure, words = blocks_of("![The house](a b.png)\n\nText ![inline](b.png).")[:2]
    assert kinds("![one](1.png)\n![two](2.png)") == ["image", "image"]
    assert (figure["kind"], words["kind"]) == ("paragraph", "paragraph"), "an address with a space is none"
    assert plain_text(words["inline"]) == "Text inline."
    table = "| a |\n|---|\n| 1 |"
    for markdown in (f"Table: *Costs*\n\n{table}", f"{table}\n\nTabelle: *Costs*"):
        (block,) = blocks_of(markdown)
        assert plain_text(block["caption"]) == "Costs"
    assert kinds(f"Table: alone\n\ntext\n\n{table}") == ["paragraph", "paragraph", "table"]


def test_boxes_to_tick_and_directions() -> None:
    (block,) = blocks_of("- [ ] open\n- [x] done\n- plain")
    assert [plain_text(item[0]["inline"]) for item in block["items"]] == ["☐ open", "☑ done", "plain"]
    assert [block["rtl"] for block in blocks_of("Hello\n\nשלום\n\n123 مرحبا\n\n中文")] == [False, True, True, False]


@given(st.text(max_size=300))
def test_any_text_is_blocks_that_json_carries(markdown: str) -> None:
    assert json.loads(json.dumps(blocks_of(markdown))) == blocks_of(markdown)
    pictures_named(markdown)


@pytest.mark.parametrize(
    ("markdown", "title", "text"),
    [
        ("# Title\n\n## One\n\nx\n\n### Two", "Title", "# One\n\nx\n\n## Two"),
        ("# One\n\nx\n\n# Two", "", "# One\n\nx\n\n# Two"),
        ("Text first\n\n# One", "", "Text first\n\n# One"),
        ("# *My* `title` #\n\ntext", "My title", "text"),
        ("```\n# code\n```\n", "", "```\n# code\n```\n"),
        ("", "", ""),
        ("# Introduction to C#\n\nx", "Introduction to C#", "x"),
        ("# Report[^1]\n\nx\n\n[^1]: Draft.", "", "# Report[^1]\n\nx\n\n[^1]: Draft."),
        ("# A\n\nx\n\nB\n===\n", "", "# A\n\nx\n\nB\n===\n"),
    ],
)
def test_a_single_first_heading_is_the_title(markdown: str, title: str, text: str) -> None:
    report = report_of(markdown, title="", lines=[], language="en", has_title_page=False)
    assert (report.title, report.sections[0].markdown) == (title, text)


def test_pictures_are_named_once_wherever_they_stand() -> None:
    markdown = "![a](1.png)\n\n> ![b](2.png)\n\n- ![c](1.png)\n\n![d](data:image/png;base64,AAAA)\n\ntext ![e](5.png)"
    assert pictures_named(markdown) == ["1.png", "2.png"]
