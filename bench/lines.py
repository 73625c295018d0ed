"""What benches print: one line per figure, with its aim beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TWO_DIGITS = {"s", "×", "of 1"}
THREE_DIGITS = {"nDCG", "recall"}


@dataclass(frozen=True)
class Line:
    """`aim` is the most it should be; with `at_least`, the least."""

    what: str
    value: float
    unit: str
    aim: float | None = None
    note: str = ""
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        return self.aim is None or (self.value >= self.aim if self.at_least else self.value <= self.aim)

    def cells(self) -> tuple[str, str, str, str]:
        digits = 3 if self.unit in THREE_DIGITS else 2 if self.unit in TWO_DIGITS else 0 if self.value >= 1000 else 1
        return self.what, f"{self.value:,.{digits}f} {self.unit}".rstrip(), self._aim(), self.note

    def _aim(self) -> str:
        if self.aim is None:
            return ""
        return f"{'≥' if self.at_least else '≤'} {self.aim:.3g} {self.unit}, {'met' if self.is_met else 'MISSED'}"


def show(lines: Sequence[Line]) -> None:
    rows = [("WHAT", "MEASURED", "AIM", ""), *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for what, value, aim, note in rows:
        print(f"{what:{widths[0]}}  {value:>{widths[1]}}  {aim:{widths[2]}}  {note}".rstrip())
