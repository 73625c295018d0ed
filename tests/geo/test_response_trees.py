"""Answers as trees: as much as a service may mean to say, and no more than that."""

from __future__ import annotations

import pytest

from workroom.geo.json_response import MOST_NODES, UnreadableResponse
from workroom.geo.oereb.response_trees import parse_tree


def elements(count: int) -> bytes:
    return b"<a>" + b"<b/>" * (count - 1) + b"</a>"


def attributes(count: int) -> bytes:
    return b"<a" + b"".join(b" b%d=''" % number for number in range(count)) + b"/>"


def values(count: int) -> bytes:
    """Objects in a list, each with a sign before it."""
    return b"[" + b",".join([b"{}"] * (count // 2)) + b"]"


def test_large_answers_are_read() -> None:
    assert len(parse_tree(elements(MOST_NODES))["a"]["b"]) == MOST_NODES - 1
    assert parse_tree(attributes(MOST_NODES)) == {"a": ""}
    assert len(parse_tree(values(MOST_NODES))) == MOST_NODES // 2


@pytest.mark.parametrize(
    "body",
    [elements(MOST_NODES + 1), attributes(MOST_NODES + 1), values(MOST_NODES + 2)],
    ids=["elements", "attributes", "values"],
)
def test_answers_without_end_are_not(body: bytes) -> None:
    with pytest.raises(UnreadableResponse):
        parse_tree(body)


@pytest.mark.parametrize(("encoding", "named"), [("utf-8-sig", "utf-8"), ("iso-8859-1", "iso-8859-1")])
def test_a_letter_may_lie_across_two_pieces(encoding: str, named: str) -> None:
    text = f"<?xml version='1.0' encoding='{named}'?><a><b>{'ü' * 200_000}</b><b>x{'é' * 200_000}</b></a>"
    assert parse_tree(text.encode(encoding)) == {"a": {"b": ["ü" * 200_000, "x" + "é" * 200_000]}}
