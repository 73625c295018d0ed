"""What formulas come to, so that the file shows results also where nothing calculates, as in a preview. Only what everybody
calculates alike; the rest stays without a result until a spreadsheet opens the file."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal, InvalidOperation
from typing import Any

from workroom.documents.writers.xlsx.formulas import Formula, FunctionCall, Node, Range

Result = float | str | bool
Content = float | str | date | Formula | None
MOST_CELLS = 3_000_000  # that are looked at for one workbook
DEEPEST = 60
LARGEST = 1e300
DIVISION = "#DIV/0!"


class SheetGrid:
    """The cells of one sheet, from 0. The head is its first row."""

    def __init__(self, height: int, width: int, content: Callable[[int, int], Content]) -> None:
        self.height, self.width, self.content = height, width, content


class Unknown(Exception):
    """What a spreadsheet has to calculate itself."""


class _CellError(Exception):
    """An error that a spreadsheet shows in the cell, such as #DIV/0!."""


class FormulaEvaluation:
    def __init__(self, grids: Mapping[str, SheetGrid]) -> None:
        self._grids = grids
        self._results: dict[tuple[str, int, int], Result | Exception] = {}
        self._open: set[tuple[str, int, int]] = set()
        self._left = MOST_CELLS

    def result(self, sheet: str, row: int, column: int) -> Result | None:
        """Of the formula in that cell; None: unknown."""
        try:
            value = self._value(sheet, row, column)
        except _CellError as error:
            return str(error)
        except (Unknown, OverflowError, InvalidOperation, RecursionError):
            return None
        return None if isinstance(value, date) or value is None else value

    def _value(self, sheet: str, row: int, column: int) -> Result | None:
        grid = self._grids[sheet]
        self._left -= 1
        if self._left < 0:
            raise Unknown
        if row >= grid.height or column >= grid.width:
            return None
        content = grid.content(row, column)
        if isinstance(content, date):
            raise Unknown
        return self._of_formula(content, (sheet, row, column)) if isinstance(content, Formula) else content

    def _of_formula(self, formula: Formula, place: tuple[str, int, int]) -> Result:
        if place not in self._results:
            if place in self._open or len(self._open) > DEEPEST:
                raise Unknown  # it refers to itself
            self._open.add(place)
            try:
                value = self._single(formula.root, place[0])
                if isinstance(value, float) and not abs(value) < LARGEST:
                    raise Unknown
                self._results[place] = 0.0 if value is None else value
            except (_CellError, Unknown) as error:
                self._results[place] = error
            finally:
                self._open.discard(place)
        known = self._results[place]
        if isinstance(known, Exception):
            raise known
        return known

    def _single(self, node: Node, sheet: str) -> Result | None:
        match node:
            case Range():
                if not node.is_cell:
                    raise Unknown
                return self._value(node.sheet or sheet, node.top, node.left)
            case FunctionCall():
                return self._call(node, sheet)
        return node

    def _call(self, call: FunctionCall, sheet: str) -> Result | None:
        name, arguments = call.name, call.arguments
        match name:
            case "()":
                return self._single(arguments[0], sheet)
            case "IF":
                chosen = arguments[1] if self._truth(arguments[0], sheet) else (*arguments, False)[2]
                return self._single(chosen, sheet)
            case "IFERROR":
                try:
                    return self._single(arguments[0], sheet)
                except _CellError:
                    return self._single(arguments[1], sheet)
            case "AND" | "OR" if not any(isinstance(one, Range) for one in arguments):
                truths = [self._truth(one, sheet) for one in arguments]
                return all(truths) if name == "AND" else any(truths)
            case "NOT":
                return not self._truth(arguments[0], sheet)
            case "=" | "<>" | "<" | ">" | "<=" | ">=":
                return _compared(name, self._single(arguments[0], sheet), self._single(arguments[1], sheet))
            case "COUNTA":
                return float(sum(value not in (None, "") for value in self._all(arguments, sheet)))
        if name in _OF_MANY:
            return _OF_MANY[name](list(self._numbers(arguments, sheet)))
        if name in _OF_NUMBERS:
            return _OF_NUMBERS[name](*(self._number(one, sheet) for one in arguments))
        raise Unknown

    def _number(self, node: Node, sheet: str) -> float:
        value = self._single(node, sheet)
        if isinstance(value, str):
            raise Unknown
        return float(value or 0)

    def _truth(self, node: Node, sheet: str) -> bool:
        value = self._single(node, sheet)
        if isinstance(value, str):
            raise Unknown
        return bool(value)

    def _numbers(self, nodes: Sequence[Node], sheet: str) -> Iterator[float]:
        """In ranges, what is no number is passed over."""
        for node in nodes:
            if isinstance(node, Range):
                for value in self._cells(node, sheet):
                    if isinstance(value, int | float) and not isinstance(value, bool):
                        yield float(value)
            else:
                yield self._number(node, sheet)

    def _all(self, nodes: Sequence[Node], sheet: str) -> Iterator[Result | None]:
        for node in nodes:
            yield from self._cells(node, sheet) if isinstance(node, Range) else [self._single(node, sheet)]

    def _cells(self, cells: Range, sheet: str) -> Iterator[Result | None]:
        name = cells.sheet or sheet
        grid = self._grids[name]
        for row in range(cells.top, min(cells.bottom + 1, grid.height)):
            for column in range(cells.left, min(cells.right + 1, grid.width)):
                yield self._value(name, row, column)


def _compared(sign: str, left: Result | None, right: Result | None) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return bool(_COMPARISONS[sign](left.casefold(), right.casefold()))
    if isinstance(left, int | float) and isinstance(right, int | float) and type(left) is not bool is not type(right):
        return bool(_COMPARISONS[sign](left, right))
    raise Unknown


def _divided(left: float, right: float) -> float:
    if right == 0:
        raise _CellError(DIVISION)
    return left / right


def _power(left: float, right: float) -> float:
    if left <= 0 and (right <= 0 or right != int(right)):
        raise Unknown
    return float(left**right)


def _average(values: Sequence[float]) -> float:
    return _divided(math.fsum(values), len(values))


def _rounded(value: float, digits: float, how: str) -> float:
    if not abs(digits) <= 15:
        raise Unknown
    return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-int(digits)), rounding=how))


_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
_OF_MANY: Mapping[str, Callable[[Sequence[float]], float]] = {
    "SUM": math.fsum,
    "AVERAGE": _average,
    "MIN": lambda values: min(values, default=0.0),
    "MAX": lambda values: max(values, default=0.0),
    "COUNT": lambda values: float(len(values)),
    "PRODUCT": lambda values: math.prod(values) if values else 0.0,
}
_OF_NUMBERS: Mapping[str, Callable[..., float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "^": _power,
    "%": lambda value: value / 100,
    "negative": operator.neg,
    "ABS": abs,
    "ROUND": lambda value, digits: _rounded(value, digits, ROUND_HALF_UP),
    "ROUNDUP": lambda value, digits: _rounded(value, digits, ROUND_UP),
    "ROUNDDOWN": lambda value, digits: _rounded(value, digits, ROUND_DOWN),
    "INT": lambda value: float(math.floor(value)),
}
