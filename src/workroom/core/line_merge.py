"""Merges two changes of one text, line by line. What only one side has changed is taken; where both have changed the same lines,
or written in the same place, differently, it is said where: nothing of either side is lost unnoticed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workroom.core.line_diff import LineChange, line_changes


@dataclass(frozen=True)
class MergeConflict:
    """Lines that both sides have changed, as each of them has it. `first` is where they begin in the first side, from 1."""

    first: int
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


@dataclass(frozen=True)
class Merge:
    """`text` is there unless there are conflicts."""

    text: str | None
    conflicts: tuple[MergeConflict, ...] = ()


@dataclass
class _Region:
    """Lines of the base that were changed, with the changes of each side."""

    start: int
    stop: int
    ours: list[LineChange]
    theirs: list[LineChange]


def merge(base: str, ours: str, theirs: str) -> Merge:
    before, first, second = base.split("\n"), ours.split("\n"), theirs.split("\n")
    merged: list[str] = []
    conflicts: list[MergeConflict] = []
    at = shift = 0  # in the base, and how far the first side is ahead of it
    for region in _regions(line_changes(before, first), line_changes(before, second)):
        merged += before[at : region.start]
        mine = _applied(before, first, region, region.ours)
        other = _applied(before, second, region, region.theirs)
        if region.ours and region.theirs and mine != other:
            conflicts.append(MergeConflict(region.start + shift + 1, tuple(mine), tuple(other)))
        merged += mine if region.ours else other
        shift += len(mine) - (region.stop - region.start)
        at = region.stop
    merged += before[at:]
    return Merge(None, tuple(conflicts)) if conflicts else Merge("\n".join(merged))


def _regions(ours: Sequence[LineChange], theirs: Sequence[LineChange]) -> list[_Region]:
    """Changes that are about the same lines, together."""
    regions: list[_Region] = []
    for change, is_ours in sorted(
        [(change, True) for change in ours] + [(change, False) for change in theirs],
        key=lambda entry: (entry[0].start, entry[0].stop),
    ):
        if not regions or not _touches(regions[-1], change, is_ours=is_ours):
            regions.append(_Region(change.start, change.stop, [], []))
        region = regions[-1]
        region.stop = max(region.stop, change.stop)
        (region.ours if is_ours else region.theirs).append(change)
    return regions


def _touches(region: _Region, change: LineChange, *, is_ours: bool) -> bool:
    """Whether both are about the same lines. Something inserted beside a line of the other side belongs to it: which of them
    comes first is nothing a machine can know."""
    if change.start < region.stop:
        return True
    others = region.theirs if is_ours else region.ours
    inserts = change.is_insertion or any(one.is_insertion and one.stop == change.start for one in others)
    return inserts and any(one.stop == change.start for one in others)


def _applied(before: Sequence[str], after: Sequence[str], region: _Region, changes: Sequence[LineChange]) -> list[str]:
    """The region as one side has it."""
    lines: list[str] = []
    at = region.start
    for change in changes:
        lines += before[at : change.start]
        lines += after[change.new_start : change.new_stop]
        at = change.stop
    return lines + list(before[at : region.stop])
