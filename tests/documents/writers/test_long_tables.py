"""Long tables are read faster, and as the parser of Markdown reads them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workroom.documents.writers import long_tables
from workroom.documents.writers.long_tables import blocks_with_long_tables
from workroom.documents.writers.markdown_blocks import Block, blocks_of, plain_text

CELL = st.text("ab 1|\\`*_[]<>&!~^=-é\t", max_size=8) | st.sampled_from(
    ["**b**", "a \\| b", "[l](https://e.org)", "`x|y`", "&amp;"]
)
ROW = st.lists(CELL, max_size=5).map(lambda cells: "|" + "|".join(cells) + "|")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_tables, "LONG", 2)
    monkeypatch.setattr(long_tables, "TOGETHER", 2)


@given(st.lists(ROW, min_size=3, max_size=9), st.sampled_from(["", "Text\n\n", "```\n", "> ", "- a\n", "# T\n"]))
@settings(max_examples=300)
def test_they_are_what_the_parser_says(rows: list[str], before: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_tables, "LONG", 2)
        patch.setattr(long_tables, "TOGETHER", 2)
        markdown = "\n".join([before + "|a|b|c|", "|-|:-:|-|", *rows]) + "\n\nEnde\n"
        assert _said(blocks_with_long_tables(markdown)) == _said(blocks_of(markdown))


def test_the_parser_reads_only_one_row_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []

    def counted(text: str) -> list[Block]:
        lengths.append(len(text))
        return blocks_of(text)

    monkeypatch.setattr(long_tables, "blocks_of", counted)
    rows = "\n".join(f"| {number} | wert {number} |" for number in range(2_000))
    blocks = blocks_with_long_tables(f"|a|b|\n|-|-|\n{rows}\n")
    assert len(blocks[0]["rows"]) == 2_001
    assert plain_text(blocks[0]["rows"][-1][1]) == "wert 1999"
    assert max(lengths) < 100


def _said(blocks: Any) -> Any:
    """Empty texts stand beside emphasis; they say nothing."""
    match blocks:
        case list():
            return [
                _said(one)
                for one in blocks
                if not (isinstance(one, dict) and one.get("text") == "" and one["kind"] == "text")
            ]
        case dict():
            return {key: _said(value) for key, value in blocks.items()}
    return blocks
