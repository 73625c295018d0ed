"""What models write as arguments: read if it is a JSON object, kept as text if not, and never anything that cannot be stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, StoredParts
from workroom.models.providers.arguments import clean, read_arguments

text = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(text, values, max_size=4))
def test_a_json_object_is_read(arguments: dict[str, Any]) -> None:
    assert read_arguments(json.dumps(arguments)) == (arguments, None)


@pytest.mark.parametrize("written", [None, "", "  \n"])
def test_nothing_means_no_arguments(written: str | None) -> None:
    assert read_arguments(written) == ({}, None)


@pytest.mark.parametrize(
    "written",
    [
        '{"id": 1',
        "[1]",
        "null",
        '"text"',
        "id=1",
        '{"id": NaN}',
        '{"id": 1e999}',
        '{"id": -Infinity}',
        '{"a":' * 65 + "1" + "}" * 65,
        "[" * 100_000,
        '{"id": ' + "9" * 5000 + "}",
    ],
)
def test_anything_else_is_kept_as_it_was_written(written: str) -> None:
    assert read_arguments(written) == ({}, written[:2000])


@given(st.text(alphabet=st.characters(), max_size=40) | st.text(alphabet='{}[]":,\\u0d8', max_size=40))
def test_whatever_is_written_can_be_stored(written: str) -> None:
    arguments, unreadable = read_arguments(written)
    part = CallPart(call_id=new_id(), tool="t", arguments=arguments, unreadable=unreadable)
    stored = StoredParts(parts=[part]).model_dump_json()
    assert "\\u0000" not in stored.replace("\\\\", "")
    assert StoredParts.model_validate_json(stored).parts == [part]


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    written = r'{"a\u0000": ["\ud800", {"b": "x\u0000"}]}'
    assert read_arguments(written) == ({"a\ufffd": ["\ufffd", {"b": "x\ufffd"}]}, None)
    assert clean("a\x00b\udfffc😀") == "a\ufffdb\ufffdc😀"
