"""Tool names on the wire: accepted by every provider, different for different tools, and found again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.models.providers.names import WireNames, to_wire

# Mostly the characters that make names ambiguous.
names = st.one_of(st.text(alphabet="ab._-", max_size=8), st.text(max_size=90))


@pytest.mark.parametrize(
    ("ours", "wire"),
    [
        ("readFile", "readFile"),
        ("skill_todos", "skill_todos"),
        ("context.getDocumentIndex", "context__getDocumentIndex"),
        ("a.b.c", "a__b__c"),
    ],
)
def test_ordinary_names_stay_readable_and_need_no_table(ours: str, wire: str) -> None:
    assert to_wire(ours) == wire
    assert WireNames([]).ours(wire) == ours


@given(st.sets(names, max_size=6))
def test_every_name_is_accepted_and_found_again(ours: set[str]) -> None:
    known = WireNames(ours)
    for name in ours:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", to_wire(name))
        assert known.ours(to_wire(name)) == name


@given(names, names)
def test_two_tools_never_share_a_name(one: str, other: str) -> None:
    assert (to_wire(one) == to_wire(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"), [("a.b", "a__b"), ("a._b", "a_.b"), ("a..b", "a____b"), ("x" * 64, "x" * 65)]
)
def test_names_that_a_plain_replacement_would_confuse(one: str, other: str) -> None:
    assert to_wire(one) != to_wire(other)


def test_an_invented_name_comes_back_short_and_clean() -> None:
    invented = WireNames(["readFile"]).ours("make\x00Coffee" + "!" * 1000)
    assert invented.startswith("make\ufffdCoffee!")
    assert len(invented) == 200
