"""What is different between two texts, line by line: the shortest way from one to the other (Myers' algorithm). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Texts that differ in more lines than this have little in common: what differs counts as one change. The page that shows a
# proposal has the same limit (web/src/lib/diff/lines.ts).
MOST_EDITS = 1_000
MOST_COMPARISONS = 2_000_000  # of lines: about half a second
CONTEXT = 3  # lines around a change in a unified diff


@dataclass(frozen=True)
class LineChange:
    """Lines `start` to `stop` of the old text became lines `new_start` to `new_stop` of the new one."""

    start: int
    stop: int
    new_start: int
    new_stop: int

    @property
    def is_insertion(self) -> bool:
        return self.start == self.stop


def line_changes(old: Sequence[str], new: Sequence[str]) -> list[LineChange]:
    """The changes in their order; between two of them there is at least one line that stays."""
    head, shorter = 0, min(len(old), len(new))
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if not before and not after:
        return []
    steps = _steps(before, after)
    if steps is None:
        return [LineChange(head, head + len(before), head, head + len(after))]
    changes: list[LineChange] = []
    for x, y, removed in steps:
        at, new_at = head + x, head + y
        stop, new_stop = at + removed, new_at + (not removed)
        if changes and (changes[-1].stop, changes[-1].new_stop) == (at, new_at):
            changes[-1] = LineChange(changes[-1].start, stop, changes[-1].new_start, new_stop)
        else:
            changes.append(LineChange(at, stop, new_at, new_stop))
    return changes


def unified_diff(name: str, before: str, after: str) -> str:
    """As `diff -u` writes it, and `patch` reads it."""
    old, new = _with_ends(before), _with_ends(after)
    lines = [f"--- a/{name}\n", f"+++ b/{name}\n"]
    for group in _near(line_changes(old, new)):
        start, stop = max(0, group[0].start - CONTEXT), min(len(old), group[-1].stop + CONTEXT)
        new_start = group[0].new_start - (group[0].start - start)
        new_stop = group[-1].new_stop + (stop - group[-1].stop)
        lines.append(f"@@ -{_range(start, stop)} +{_range(new_start, new_stop)} @@\n")
        at = start
        for change in group:
            lines += [_marked(" ", line) for line in old[at : change.start]]
            lines += [_marked("-", line) for line in old[change.start : change.stop]]
            lines += [_marked("+", line) for line in new[change.new_start : change.new_stop]]
            at = change.stop
        lines += [_marked(" ", line) for line in old[at:stop]]
    return "".join(lines) if len(lines) > 2 else ""


def _steps(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, bool]] | None:
    """Every line that goes (True) or comes (False), and where in both texts that is; None when there are too many."""
    trace = _furthest(old, new)
    if trace is None:
        return None
    steps: list[tuple[int, int, bool]] = []
    x, y = len(old), len(new)
    for step in range(len(trace) - 1, 0, -1):
        reach, diagonal = trace[step], x - y
        down = _goes_down(reach, step, diagonal)
        x = reach[diagonal + 1] if down else reach[diagonal - 1]
        y = x - (diagonal + 1 if down else diagonal - 1)
        steps.append((x, y, not down))
    return steps[::-1]


def _furthest(old: Sequence[str], new: Sequence[str]) -> list[dict[int, int]] | None:
    """For each number of edits, how far each diagonal had been followed before them."""
    trace: list[dict[int, int]] = []
    reach: dict[int, int] = {}
    compared, rows, columns = 0, len(old), len(new)
    for step in range(MOST_EDITS + 1):
        trace.append(reach)
        following: dict[int, int] = {}
        for diagonal in range(-step, step + 1, 2):
            x = first = _next_row(reach, step, diagonal)
            while x < rows and x - diagonal < columns and old[x] == new[x - diagonal]:
                x += 1
            compared += x - first + 1
            if x >= rows and x - diagonal >= columns:
                return trace
            following[diagonal] = x
        if compared > MOST_COMPARISONS:
            return None
        reach = following
    return None


def _next_row(reach: dict[int, int], step: int, diagonal: int) -> int:
    if step == 0:
        return 0
    return reach[diagonal + 1] if _goes_down(reach, step, diagonal) else reach[diagonal - 1] + 1


def _goes_down(reach: dict[int, int], step: int, diagonal: int) -> bool:
    return diagonal == -step or (diagonal != step and reach[diagonal - 1] < reach[diagonal + 1])


def _near(changes: Sequence[LineChange]) -> Iterator[list[LineChange]]:
    """Changes whose context would overlap, together."""
    group: list[LineChange] = []
    for change in changes:
        if group and change.start - group[-1].stop > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _range(start: int, stop: int) -> str:
    count = stop - start
    return f"{start + 1 if count else start},{count}"


def _with_ends(text: str) -> list[str]:
    *whole, rest = text.split("\n")
    return [line + "\n" for line in whole] + ([rest] if rest else [])


def _marked(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
