"""Tool calls in text: read strictly, the same however the text is cut, and never shown."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.models.providers.tool_call_blocks import UNNAMED, BlockReader, ToolCallBlock, read_block

CALL = '{"tool": "notes.read", "arguments": {"id": 1}}'
BLOCK = f"```tool\n{CALL}\n```"

# Mostly what fences and blocks are made of, so that they come about.
SCRAPS = [
    "```",
    "```tool",
    "```tool\n",
    "\n```\n",
    "````",
    "~~~",
    "`",
    "\n",
    "\r\n",
    " ",
    "tool",
    CALL,
    BLOCK,
    "x",
    "é\u2028",
]
texts = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=3), max_size=12).map("".join)
words = st.text(st.characters(exclude_characters="\x00`~", exclude_categories=["Cs"]), max_size=20)
arguments = st.dictionaries(words, st.integers(-9, 9) | words | st.lists(words, max_size=2), max_size=3)
names = st.text("abc._", min_size=1, max_size=8)


def read(*pieces: str) -> tuple[str, list[str | ToolCallBlock]]:
    reader = BlockReader()
    shown = "".join(map(reader.feed, pieces)) + reader.finish()
    return shown, reader.found


def cut(text: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(edges)]


@given(texts, st.lists(st.integers(0, 200), max_size=20))
def test_where_the_text_is_cut_makes_no_difference(text: str, places: list[int]) -> None:
    whole = read(text)
    assert read(*cut(text, places)) == whole
    assert read(*text) == whole


@given(texts)
def test_what_is_shown_is_the_text_that_is_found(text: str) -> None:
    shown, found = read(text)
    assert shown == "".join(item for item in found if isinstance(item, str))


@given(texts)
def test_text_without_a_fence_of_ours_stays_as_it_is(text: str) -> None:
    text = text.replace("```tool", "```")
    assert read(text) == (text, [text] if text else [])


@given(words, st.lists(st.tuples(names, arguments), max_size=3), words)
def test_calls_are_found_behind_the_text(before: str, called: list[tuple[str, dict[str, Any]]], end: str) -> None:
    blocks = [json.dumps({"tool": tool, "arguments": given}) for tool, given in called]
    shown, found = read("".join([before, "\n", *(f"```tool\n{block}\n```\n" for block in blocks), end]))
    assert [(item.tool, item.arguments, item.wrong) for item in found if isinstance(item, ToolCallBlock)] == [
        (tool, given, None) for tool, given in called
    ]
    assert shown.split() == (before if called else f"{before}\n{end}").split()


@pytest.mark.parametrize(
    "text",
    [
        f"Write ```tool and then {CALL} and ```.",
        f" ```tool\n{CALL}\n```",
        f"> ```tool\n> {CALL}\n> ```",
        f"```tools\n{CALL}\n```",
        f"```tool json\n{CALL}\n```",
        f"```json\n{CALL}\n```",
        f"````tool\n{CALL}\n````",
        f"````markdown\n{BLOCK}\n````",
        f"```\n{BLOCK}\n```",
        f"~~~\n{BLOCK}\n~~~",
        CALL,
        "```tool is how a block begins",
    ],
)
def test_what_merely_mentions_a_block_is_text(text: str) -> None:
    assert read(text) == (text, [text])
    assert read(*text) == (text, [text])


def test_code_on_one_line_does_not_hide_a_call() -> None:
    shown, found = read(f"```like``` this\n{BLOCK}")
    assert shown == "```like``` this"
    assert [type(item) for item in found] == [str, ToolCallBlock]


def test_code_before_a_call_stays() -> None:
    code = "```python\nprint(1)\n```"
    shown, found = read(f"{code}\n\n{BLOCK}\n")
    assert (shown, len(found)) == (code, 2)


def test_nothing_is_left_of_a_block_and_of_what_follows() -> None:
    shown, found = read(f"Before.  \n\n{BLOCK}\n\n{BLOCK}\r\n\n  After.\n{BLOCK}\n")
    assert shown == "Before."
    assert [item if isinstance(item, str) else item.tool for item in found] == ["Before.", "notes.read", "notes.read"]


def test_of_a_block_that_cannot_be_read_a_gap_is_left() -> None:
    shown, found = read("Before.  \n\n```tool\nno JSON\n```\r\n\n  After.\n")
    assert shown == "Before.\n\nAfter.\n"
    assert [item for item in found if isinstance(item, str)] == ["Before.", "\n\nAfter.\n"]


def test_text_is_shown_as_soon_as_it_cannot_be_a_block() -> None:
    reader = BlockReader()
    assert [
        reader.feed(piece) for piece in ("Hel", "lo\n``", "`", "py", "thon\n", "1\n```\n", "```to", "ol\n", "{")
    ] == [
        "Hel",
        "lo",
        "",
        "\n```py",
        "thon",
        "\n1\n```",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ('{"tool": "notes.read", "arguments": {"id": 1}', "not JSON"),
        ("", "not JSON"),
        ("[1]", "exactly the keys"),
        ('{"tool": "notes.read"}', "exactly the keys"),
        ('{"tool": "notes.read", "arguments": {}, "id": 7}', "exactly the keys"),
        ('{"tool": 5, "arguments": {}}', "name of a tool"),
        ('{"tool": " ", "arguments": {}}', "name of a tool"),
        ('{"tool": "notes.read", "arguments": [1]}', "not an object"),
        ('{"tool": "notes.read", "arguments": {"id": NaN}}', "not plain JSON"),
        (f"{CALL}\n{CALL}", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_block_that_is_not_exactly_that_is_unreadable(written: str, wrong: str) -> None:
    shown, [block] = read(f"```tool\n{written}\n```")
    assert shown == ""
    assert isinstance(block, ToolCallBlock)
    assert wrong in str(block.wrong)
    assert block.arguments == {}
    assert block.written.strip() == written[:2000]
    assert block.tool == ("notes.read" if "notes.read" in written else UNNAMED)


def test_a_block_that_is_not_closed_is_unreadable_and_not_shown() -> None:
    shown, found = read(f"Look:\n```tool\n{CALL}\nand on and on")
    assert shown == "Look:"
    assert isinstance(found[-1], ToolCallBlock)
    assert "not closed" in str(found[-1].wrong)


def test_a_closing_fence_needs_no_end_of_line() -> None:
    assert read(BLOCK)[1] == [read_block(f"{CALL}\n")]


def test_what_cannot_be_stored_is_replaced() -> None:
    _, [block] = read('```tool\n{"tool": "a\\u0000b", "arguments": {"x": "\\ud800"}}\n```')
    assert isinstance(block, ToolCallBlock)
    assert (block.tool, block.arguments, block.wrong) == ("a\ufffdb", {"x": "\ufffd"}, None)
