"""Into which parts documents are divided, without a document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.types import Section, Structure
from workroom.knowledge.digests import division
from workroom.knowledge.digests.plan import MOST_PARTS, Atom, divide, title_of

ROOM = 60_000


def chapters(*sizes: int, tokens: int = 700) -> list[Atom]:
    """So many pages each, the first of which begins a chapter."""
    return [
        Atom(tokens, 1 if page == 0 else 0, f"Chapter {number}" if page == 0 else "")
        for number, size in enumerate(sizes, 1)
        for page in range(size)
    ]


def spans(atoms: list[Atom], room: int = ROOM) -> list[tuple[int, int]]:
    return [(group.first, group.end) for group in divide(atoms, room)]


def test_what_fits_is_one_part() -> None:
    assert spans(chapters(20, 30, 30)) == [(0, 80)]
    assert spans([Atom(10**9)]) == [(0, 1)]
    assert spans([]) == []


def test_chapters_stay_whole_and_short_ones_are_joined() -> None:
    atoms = chapters(30, 3, 25, 30, 2, 2, 28, tokens=700)
    found = spans(atoms, 40_000)
    begins = {place for place, atom in enumerate(atoms) if atom.level == 1}
    assert {first for first, _ in found} <= begins
    assert len(found) < 7, "those of two pages are not parts of their own"


def test_a_long_chapter_is_divided_where_its_sections_begin() -> None:
    atoms = chapters(200, tokens=1_000)
    atoms += chapters(10, tokens=1_000)
    inner = {40, 90, 150}
    atoms = [Atom(a.tokens, 2, f"Section {n}") if n in inner else a for n, a in enumerate(atoms)]
    firsts = {first for first, _ in spans(atoms)}
    assert inner <= firsts


def test_six_hundred_pages_take_at_most_twenty_parts() -> None:
    groups = divide(chapters(*[31] * 20), ROOM)
    assert len(groups) <= MOST_PARTS
    assert not any(group.sampled for group in groups)


@pytest.mark.requirement("I3")
@given(
    st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 4)), min_size=1, max_size=400),
    st.integers(500, 60_000),
)
def test_whatever_the_document_every_atom_is_in_one_of_at_most_twenty_parts(
    given_: list[tuple[int, int]], room: int
) -> None:
    atoms = [Atom(tokens, level, f"Title {place}") for place, (tokens, level) in enumerate(given_)]
    groups = divide(atoms, room)
    assert len(groups) <= MOST_PARTS
    assert (groups[0].first, groups[-1].end) == (0, len(atoms))
    assert all(one.end == other.first for one, other in pairwise(groups))
    for group in groups:
        assert group.taken
        assert set(group.taken) <= set(range(group.first, group.end))
        assert list(group.taken) == sorted(set(group.taken))
        if not group.sampled:
            continue
        whole = sum(atoms[n].tokens for n in range(group.first, group.end))
        assert whole > room, "what fits is read whole"


def test_what_is_far_too_large_is_sampled_at_the_beginnings_of_its_sections() -> None:
    atoms = [Atom(1_000, 1 if n % 250 == 0 else 2 if n % 50 == 0 else 0, f"T{n}") for n in range(5_000)]
    groups = divide(atoms, 20_000)
    assert len(groups) <= MOST_PARTS
    assert all(group.sampled for group in groups)
    for group in groups:
        assert sum(atoms[n].tokens for n in group.taken) <= 21_000
        begun = {n for n in range(group.first, group.end) if atoms[n].level}
        assert begun <= set(group.taken)


def test_without_sections_it_is_sampled_evenly() -> None:
    groups = divide([Atom(1_000)] * 4_000, 10_000)
    for group in groups:
        middle = (group.first + group.end) // 2
        assert 0.3 < sum(n >= middle for n in group.taken) / len(group.taken) < 0.7


def test_a_part_is_called_by_its_chapters_or_by_the_sections_of_a_divided_one() -> None:
    atoms = [*chapters(5, 5, tokens=10_000), Atom(10_000, 1, "Long"), *[Atom(10_000)] * 20]
    atoms[20] = Atom(10_000, 2, "Inner")
    groups = divide(atoms, ROOM)
    titles = [title_of(atoms, group) for group in groups]
    assert titles[0].startswith("Chapter 1")
    assert titles[-1].startswith("Long: Inner")
    assert title_of([Atom(1), Atom(1)], divide([Atom(1), Atom(1)], 10)[0]) == ""


def test_a_hundred_thousand_sections_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    class Weighed(Atom):
        def __getattribute__(self, name: str) -> Any:
            nonlocal counted
            counted += name == "tokens"
            return super().__getattribute__(name)

    atoms = [Weighed(2, 1 + number % 3, "") for number in range(20_000)]
    groups = divide(atoms, 6_000)
    assert 1 < len(groups) <= 20
    assert counted <= 5 * len(atoms)


def test_bookmarks_are_not_looked_for_among_all_pages_one_by_one() -> None:
    compared = 0

    class Number(int):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return int(self) == other

        __hash__ = int.__hash__

    sections = [Section(id=f"s{n}", title="", level=1, start_page=n, end_page=n) for n in range(2_000)]
    structure = Structure.model_construct(kind="pdf", sections=sections)
    numbers: Sequence[int] = [Number(n) for n in range(2_000)]
    assert len(division._begun(structure, numbers)) == 2_000
    assert compared <= 10_000
