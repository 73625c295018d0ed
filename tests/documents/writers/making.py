"""Reports for tests of writers, and Markdown of any kind."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st
from PIL import Image

from workroom.documents.writers.markdown_blocks import Block, blocks_of
from workroom.documents.writers.report import Report, ReportSection

WORD = st.text("abcdefghijklmnopqrstuvwxyzäöüéß0123456789", min_size=1, max_size=12)
SENTENCE = st.lists(
    WORD | st.sampled_from(["**fett**", "*kursiv*", "`x = 1`", "[hier](https://example.com)"]), max_size=40
)
TEXT = SENTENCE.map(" ".join)


def report(markdown: str, title: str = "Alpenblick AG", **values: Any) -> Report:
    section = ReportSection(title=values.pop("section", ""), note=values.pop("note", ""), markdown=markdown)
    return Report(**{"title": title, "lines": ["18.11.2026"], "language": "de", "sections": [section]} | values)


def drawn(width: int = 800, height: int = 500, colour: str = "#3b4cca") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


def _table(rows: list[list[str]]) -> str:
    columns = len(rows[0])
    lines = ["| " + " | ".join([*row, *[""] * columns][:columns]) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * columns, *lines[1:]])


def _item(words: list[str], number: int | None) -> str:
    return "\n".join(f"{'-' if number is None else f'{number + at}.'} {text}" for at, text in enumerate(words))


BLOCKS = st.one_of(
    TEXT,
    st.builds(lambda level, text: "#" * level + " " + text, st.integers(1, 5), TEXT),
    st.builds(_item, st.lists(TEXT, min_size=1, max_size=25), st.none() | st.integers(1, 40)),
    st.lists(st.lists(TEXT, min_size=1, max_size=6), min_size=1, max_size=15).map(_table),
    st.builds(lambda text: f"> {text}", TEXT),
    st.builds(lambda lines: "```\n" + "\n".join(lines) + "\n```", st.lists(TEXT, max_size=30)),
    st.builds(lambda text: f"![{text}](big.png)", WORD),
    st.builds(lambda text, note: f"{text} mark[^1]\n\n[^1]: {note}", WORD, TEXT),
    st.just("\\pagebreak"),
)
MARKDOWN = st.lists(BLOCKS, max_size=12).map("\n\n".join)


def words_in(markdown: str) -> set[str]:
    """All words that a document of it has to say; what stands between two spaces is one."""
    return {word for text in _texts(blocks_of(markdown)) for word in text.split()}


def _texts(value: list[Block] | Mapping[str, Any] | Any) -> Iterator[str]:
    pending = [value]
    while pending:
        match pending.pop():
            case dict() as block:
                pending += [block[key] for key in block if key not in ("kind", "source", "href", "language", "align")]
            case list() as items:
                pending += items
            case str() as text:
                yield text
