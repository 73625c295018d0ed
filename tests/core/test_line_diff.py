"""Differences between texts: applied to the old text they give the new one, and they are as short as can be."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core import line_diff
from workroom.core.line_diff import LineChange, line_changes, unified_diff

texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14).map("\n".join)
HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n")


def patched(before: str, diff: str) -> str:
    """What `patch` makes of it; the places of the hunks are checked on the way."""
    old, new, at = before.splitlines(keepends=True), [], 0
    lines = diff.replace("\n\\ No newline at end of file\n", "\0").splitlines(keepends=True)[2:]
    for line in (piece for raw in lines for piece in re.split("(?<=\0)", raw) if piece):
        if found := HUNK.fullmatch(line):
            start, count, new_start, new_count = map(int, found.groups())
            start -= 1 if count else 0
            new += old[at:start]
            at = start
            assert len(new) == new_start - (1 if new_count else 0)
            continue
        text = line[1:].rstrip("\0")
        if line[0] in " -":
            assert old[at] == text
            at += 1
        if line[0] in " +":
            new.append(text)
    return "".join(new + old[at:])


@given(texts, texts)
def test_the_changes_make_the_new_text_of_the_old_one(before: str, after: str) -> None:
    old, new = before.split("\n"), after.split("\n")
    made, at = [], 0
    changes = line_changes(old, new)
    for change in changes:
        made += [*old[at : change.start], *new[change.new_start : change.new_stop]]
        at = change.stop
    assert made + old[at:] == new
    assert all(one.stop < other.start for one, other in itertools.pairwise(changes))


def longest_common(old: list[str], new: list[str]) -> int:
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row, left in enumerate(old, 1):
        for column, right in enumerate(new, 1):
            table[row][column] = (
                table[row - 1][column - 1] + 1 if left == right else max(table[row - 1][column], table[row][column - 1])
            )
    return table[-1][-1]


@given(texts, texts)
def test_no_shorter_way_leads_there(before: str, after: str) -> None:
    old, new = before.split("\n"), after.split("\n")
    kept = len(old) - sum(change.stop - change.start for change in line_changes(old, new))
    assert kept == longest_common(old, new)


@given(texts, texts)
def test_a_unified_diff_is_a_patch(before: str, after: str) -> None:
    assert patched(before, unified_diff("x", before, after)) == after


def test_a_unified_diff_reads_like_that_of_diff() -> None:
    before = "\n".join(map(str, range(1, 21))) + "\n"
    after = before.replace("\n3\n", "\ndrei\n").replace("\n18\n", "\n").replace("\n20\n", "\n20")
    assert unified_diff("n.txt", before, after) == (
        "--- a/n.txt\n+++ b/n.txt\n"
        "@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+drei\n 4\n 5\n 6\n"
        "@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n-20\n+20\n\\ No newline at end of file\n"
    )
    assert unified_diff("n.txt", before, before) == ""


def test_texts_with_little_in_common_differ_as_a_whole() -> None:
    old, new = [f"a{number}" for number in range(2_000)], [f"b{number}" for number in range(2_000)]
    assert line_changes(["x", *old, "y"], ["x", *new, "y"]) == [LineChange(1, 2_001, 1, 2_001)]


def test_work_is_bounded_also_where_many_lines_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to go leads through thousands of lines that are the same everywhere."""
    monkeypatch.setattr(line_diff, "MOST_COMPARISONS", 100_000)
    compared = 0

    class Counted(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    def text(mark: str) -> list[str]:
        return [
            Counted(line)
            for line in [*(f"{mark}{n}" for n in range(400)), *["}"] * 5_000, *(f"{n}{mark}" for n in range(400))]
        ]

    assert len(line_changes(text("a"), text("b"))) == 1
    assert compared < 400_000


def test_changes_that_are_near_share_a_hunk() -> None:
    before = "\n".join(map(str, range(1, 13))) + "\n"
    for gap, hunks in ((4, 1), (6, 1), (7, 2)):
        after = before.replace("2\n3", "two\n3", 1).replace(f"\n{gap + 3}\n", "\nx\n")
        diff = unified_diff("n", before, after)
        assert diff.count("@@ -") == hunks
        assert patched(before, diff) == after
