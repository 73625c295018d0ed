"""Charts as values: what is shown, and nothing about how. The page draws them, documents draw them, and both can show the
same as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, Self

from pydantic import Field, StrictStr, ValidationError, model_validator

from workroom.core.errors import InvalidInput
from workroom.core.wire import Wire

MOST_SERIES = 12
MOST_PARTS = 12  # of a pie; more cannot be told apart
MOST_BARS = 200  # along the axis
MOST_POINTS = 5_000  # in all series together
LARGEST = 1e15  # beyond it neither floats nor people are exact

ChartKind = Literal["bar", "line", "area", "scatter", "pie"]
# What stands along the axis: names, numbers to scale, or moments in time.
AxisKind = Literal["text", "number", "date"]
Words = Annotated[str, Field(max_length=200)]
ChartNumber = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Category = Annotated[StrictStr, Field(max_length=200)] | ChartNumber

ISO_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?")


class ChartSeries(Wire):
    """`None` is a gap: nothing is known there, which is not 0."""

    name: Words = ""
    values: tuple[ChartNumber | None, ...]


class Chart(Wire):
    """`categories` are names, numbers, or dates as ISO 8601 has them; each series has a value for each of them. `unit` stands
    behind the values: `CHF`, `%`, `kg`. `stacked` is of bars and areas, `horizontal` of bars."""

    kind: ChartKind
    title: Words = ""
    x_label: Words = ""
    y_label: Words = ""
    unit: Annotated[str, Field(max_length=20)] = ""
    categories: tuple[Category, ...]
    series: tuple[ChartSeries, ...]
    stacked: bool = False
    horizontal: bool = False

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Self:
        if problem := _problem(self):
            raise ValueError(problem)
        return self

    @property
    def axis(self) -> AxisKind:
        return axis_of(self.categories)

    @property
    def numbers(self) -> list[float]:
        return [value for one in self.series for value in one.values if value is not None]


def make_chart(**parts: object) -> Chart:
    """Raises InvalidInput with a sentence that says what is wrong with it."""
    try:
        return Chart.model_validate(parts)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise InvalidInput(f"{place}: {said}." if place else said, field=place or "series") from None


def axis_of(categories: Sequence[str | float]) -> AxisKind:
    if not categories:
        return "text"
    if all(not isinstance(one, str) for one in categories):
        return "number"
    return "date" if all(isinstance(one, str) and moment_of(one) is not None for one in categories) else "text"


def moment_of(text: str) -> datetime | None:
    """`2026-03`, `2026-03-31` and `2026-03-31T08:00`, in UTC; None for everything else."""
    if not ISO_DATE.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text if len(text) > len("2026-03") else f"{text}-01")
        return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


def _problem(chart: Chart) -> str | None:
    """What is wrong, and what to do about it."""
    count = len(chart.categories)
    if not chart.series or not count:
        return "A chart needs at least one category and one series with a value for it."
    for number, one in enumerate(chart.series, start=1):
        if len(one.values) != count:
            named = f"“{one.name}”" if one.name else f"number {number}"
            return (
                f"There are {count} categories, but series {named} has {len(one.values)} values."
                " Give one for each category; null where nothing is known."
            )
    if not chart.numbers:
        return "There is nothing to draw: no series has a number."
    names = [one.name for one in chart.series]
    if len(names) > 1 and len({name.strip() for name in names if name.strip()}) < len(names):
        return "Give each series a name of its own."
    if len(names) > MOST_SERIES:
        return (
            f"A chart shows at most {MOST_SERIES} series; these are {len(names)}. Choose some, or draw several charts."
        )
    if count * len(names) > MOST_POINTS:
        return f"A chart shows at most {MOST_POINTS:,} values; these are {count * len(names):,}. Aggregate them first."
    return _problem_of_kind(chart, count)


def _problem_of_kind(chart: Chart, count: int) -> str | None:
    if chart.kind == "bar" and count > MOST_BARS:
        return f"Bars show at most {MOST_BARS} categories; these are {count}. Aggregate them, or draw a line."
    if chart.kind == "scatter" and chart.axis == "text":
        return "A scatter chart needs numbers or ISO dates as categories. Draw bars for names."
    if chart.kind != "pie":
        return None
    if len(chart.series) > 1:
        return f"A pie shows one series; these are {len(chart.series)}. Draw stacked bars instead."
    if any(value < 0 for value in chart.numbers) or not any(chart.numbers):
        return "A pie shows parts of a whole: no value may be negative, and one must be more than 0. Draw bars instead."
    if count > MOST_PARTS:
        return f"A pie shows at most {MOST_PARTS} parts; these are {count}. Put the small ones together, or draw bars."
    return None
