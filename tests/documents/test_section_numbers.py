from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.section_numbers import SectionHeading, is_wanted, sections_of


def test_a_jump_in_levels_leaves_no_hole() -> None:
    levels = [1, 3, 3, 2, 1, 6]
    found = sections_of([SectionHeading("x", level, unit) for unit, level in enumerate(levels, start=1)], last_unit=6)
    assert [section.id for section in found] == ["s1", "s1.1", "s1.2", "s1.3", "s2", "s2.1"]
    assert [(section.first, section.last) for section in found] == [(1, 4), (2, 2), (3, 3), (4, 4), (5, 6), (6, 6)]


@given(st.lists(st.integers(1, 6), max_size=60))
def test_ids_are_unique_and_sections_lie_within_those_above(levels: list[int]) -> None:
    found = sections_of([SectionHeading("x", level, unit) for unit, level in enumerate(levels)], last_unit=len(levels))
    by_id = {section.id: section for section in found}
    assert len(by_id) == len(levels)
    for section in found:
        above = section.id.rpartition(".")[0]
        if above:
            outer = by_id[above]
            assert (outer.first or 0) <= (section.first or 0) <= (section.last or 0) <= (outer.last or 0)


def test_who_wants_a_section_wants_those_below_it() -> None:
    assert is_wanted("s1.2.3", {"s1.2"})
    assert not is_wanted("s1.23", {"s1.2"})
    assert not is_wanted(None, {"s1"})
