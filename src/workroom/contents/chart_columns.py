"""Columns of a table as what stands along the axis of a chart and the series above it. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from workroom.contents.document_tables import FoundTable
from workroom.core.charts import MOST_SERIES, Category, ChartKind, ChartSeries
from workroom.core.errors import InvalidInput
from workroom.documents.date_cells import read_dates
from workroom.documents.number_cells import NumberColumn, is_nothing, read_numbers

LISTED = 30
LONGEST_NAME = 200
TO_SCALE = frozenset({"line", "area", "scatter"})

Aggregate = Literal["sum", "mean", "count"]
Values = list[float | None]


@dataclass(frozen=True)
class ChartColumns:
    """`notes` are sentences about what was left out, or should be looked at."""

    x_name: str
    unit: str
    categories: Sequence[Category]
    series: Sequence[ChartSeries]
    notes: Sequence[str]


def chart_columns(
    table: FoundTable, kind: ChartKind, x: str, y: Sequence[str], aggregate: Aggregate | None = None
) -> ChartColumns:
    """Without `x` the first column is meant, without `y` all others that have numbers. Raises InvalidInput."""
    wanted = [place for name in y if (place := table.place_of(name)) is not None]
    named = table.place_of(x) if x else next((n for n in range(len(table.header)) if n not in wanted), None)
    if named is None:
        raise InvalidInput("Say which column is `x`: all of them are `y`.", field="x")
    along = table.cells(named)
    rows = [n for n, cell in enumerate(along) if not is_nothing(cell)]
    counts_rows = aggregate == "count"
    columns = {} if counts_rows else _number_columns(table, wanted, named)
    categories = _categories([along[n] for n in rows], kind, table)
    if counts_rows:
        values: dict[str, Values] = _counted(table, wanted, rows)
    else:
        values = {_name(table, place): [column.values[n] for n in rows] for place, column in columns.items()}
    notes = [_note_of_unread(table, place, column) for place, column in columns.items() if column.unread]
    if aggregate is not None:
        categories, values = _joined(categories, values, "mean" if aggregate == "mean" else "sum")
    elif kind != "scatter" and len(set(categories)) < len(categories):
        notes.append(f"The same “{_name(table, named)}” stands in several rows; `aggregate` joins them.")
    units = {_unit(table, place, column) for place, column in columns.items()}
    shared = units.pop() if len(units) == 1 else ""
    series = [ChartSeries(name=name, values=tuple(column)) for name, column in values.items()]
    if kind in TO_SCALE:
        categories, series = _in_order(categories, series)
    return ChartColumns(_name(table, named), shared[:20], categories, series, notes)


def _number_columns(table: FoundTable, wanted: Sequence[int], x: int) -> Mapping[int, NumberColumn]:
    """Those that are asked for must have numbers; else all that have some."""
    places = wanted or [place for place in range(len(table.header)) if place != x]
    columns = {place: read_numbers(table.cells(place), table.decimal) for place in places}
    if wanted:
        for place, column in columns.items():
            if not any(value is not None for value in column.values):
                raise InvalidInput(
                    _nothing_numeric(table, f"There is no number in “{_name(table, place)}”."), field="y"
                )
        return columns
    numeric = {place: column for place, column in columns.items() if column.is_numeric}
    if not numeric:
        raise InvalidInput(_nothing_numeric(table, "There is nothing to draw."), field="y")
    if len(numeric) > MOST_SERIES:
        names = _listed(table, numeric)
        raise InvalidInput(
            f"{len(numeric)} columns have numbers; name at most {MOST_SERIES} in `y`: {names}.", field="y"
        )
    return numeric


def _nothing_numeric(table: FoundTable, problem: str) -> str:
    """Which columns there are, and which of them have numbers."""
    places = range(len(table.header))
    numeric = [n for n in places if read_numbers(table.cells(n)[:1_000], table.decimal).is_numeric]
    there = f"Columns with numbers: {_listed(table, numeric)}." if numeric else "No column has numbers."
    return f"{problem} {there} All columns: {_listed(table, places)}."


def _listed(table: FoundTable, places: Sequence[int] | Mapping[int, object] | range) -> str:
    names = [f"“{_name(table, place)[:100]}”" for place in places]
    return ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")


def _name(table: FoundTable, place: int) -> str:
    """As it stands above the column; one that stands there twice, or not at all, is numbered."""
    name = table.header[place].strip()[: LONGEST_NAME - 10]
    return name if name and table.header.index(table.header[place]) == place else f"{name} {place + 1}".strip()


def _unit(table: FoundTable, place: int, column: NumberColumn) -> str:
    if len(column.units) > 1:
        units = ", ".join(column.units[:5])
        raise InvalidInput(
            f"In “{_name(table, place)}” stand numbers of different units ({units}), which one chart cannot compare.",
            field="y",
        )
    return column.units[0] if column.units else ""


def _note_of_unread(table: FoundTable, place: int, column: NumberColumn) -> str:
    return f"In “{_name(table, place)}” {column.unread} cells are no numbers; they are gaps."


def _categories(cells: Sequence[str], kind: ChartKind, table: FoundTable) -> list[Category]:
    """Numbers and dates where they stand to scale, else what is written."""
    if dates := read_dates(cells):
        return list(dates)
    if kind in TO_SCALE:
        numbers = read_numbers(cells, table.decimal)
        known = [value for value in numbers.values if value is not None]
        if known and len(known) == len(cells) and not numbers.units:
            return list(known)
    return [" ".join(cell.split())[:LONGEST_NAME] for cell in cells]


def _counted(table: FoundTable, places: Sequence[int], rows: Sequence[int]) -> dict[str, Values]:
    """Rows, or those in which something stands in the columns that are named."""
    if not places:
        return {"": [1.0] * len(rows)}
    cells = {place: table.cells(place) for place in places}
    return {_name(table, place): [float(not is_nothing(column[n])) for n in rows] for place, column in cells.items()}


def _joined(
    categories: Sequence[Category], values: Mapping[str, Values], aggregate: Literal["sum", "mean"]
) -> tuple[list[Category], dict[str, Values]]:
    """One value for each category, in the order in which they first stand there; dates and numbers in their own."""
    groups: dict[Category, list[int]] = {}
    for row, category in enumerate(categories):
        groups.setdefault(category, []).append(row)

    def join(column: Values, rows: Sequence[int]) -> float | None:
        known = [value for row in rows if (value := column[row]) is not None]
        if not known:
            return None
        total = math.fsum(known)
        return _rounded(total if aggregate == "sum" else total / len(known))

    joined = {name: [join(column, rows) for rows in groups.values()] for name, column in values.items()}
    return list(groups), joined


def _rounded(value: float) -> float:
    """As exact as what was written: sums of decimals are not exact in binary."""
    return float(f"{value:.12g}")


def _in_order(
    categories: Sequence[Category], series: Sequence[ChartSeries]
) -> tuple[list[Category], list[ChartSeries]]:
    """By time or size: a line that goes back says nothing. Names stay as they stand."""
    kinds = {isinstance(one, str) for one in categories}
    if len(kinds) != 1 or (kinds == {True} and not read_dates([str(one) for one in categories])):
        return list(categories), list(series)
    order = sorted(range(len(categories)), key=lambda n: categories[n])
    sorted_series = [ChartSeries(name=one.name, values=tuple(one.values[n] for n in order)) for one in series]
    return [categories[n] for n in order], sorted_series
