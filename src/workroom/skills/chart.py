"""Draws a chart: of numbers that are in the conversation, or of columns of a file. Those are read here, not copied by a model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.contents.chart_columns import Aggregate, chart_columns
from workroom.contents.document_tables import find_table
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import place_at, source_of
from workroom.contents.service import DocumentReader
from workroom.core.actions import OpenFile
from workroom.core.charts import MOST_SERIES, Category, Chart, ChartKind, ChartSeries, Words, make_chart
from workroom.core.errors import InvalidInput
from workroom.core.results import ToolResult
from workroom.core.sources import citation, unmarked
from workroom.core.widgets import Widget
from workroom.files.finder import LONGEST
from workroom.tools.shared.file_arguments import SECONDS, Inside, place_of

Column = Annotated[str, Field(max_length=300)]
File = Annotated[str, Field(max_length=LONGEST)]


class DrawnChart(Widget):
    """`source` is the file it was made of, and `opens` shows it; without one the numbers were in the conversation."""

    chart: Chart
    source: str = ""
    opens: OpenFile | None = None


@tool("drawChart", effect="read", sets={"core"}, seconds=SECONDS, rare=True)
async def draw_chart(
    ctx: ToolContext,
    kind: ChartKind,
    title: Words = "",
    categories: Sequence[Category] = (),
    series: Sequence[ChartSeries] = (),
    fileId: File = "",  # noqa: N803 -- the model's spelling
    inside: Inside = "",
    sheet: Column = "",
    x: Column = "",
    y: Annotated[Sequence[Column], Field(max_length=MOST_SERIES)] = (),
    aggregate: Aggregate | None = None,
    unit: Annotated[str, Field(max_length=20)] = "",
    xLabel: Words = "",  # noqa: N803
    yLabel: Words = "",  # noqa: N803
    stacked: bool = False,
    horizontal: bool = False,
) -> ToolResult:
    """Draw a chart for the user: of `categories` and `series`, or of a table in a file. Then `x` and `y` are headers of its
    columns, `aggregate` joins rows of equal `x`, and the numbers are read from the file: do not copy them."""
    look = {"kind": kind, "title": title, "y_label": yLabel, "stacked": stacked, "horizontal": horizontal}
    if fileId:
        if categories or series:
            raise InvalidInput("Give a fileId, or categories and series, but not both.", field="fileId")
        return await _from_file(ctx, look, (fileId, inside, sheet), (x, y, aggregate), (unit, xLabel))
    chart = make_chart(**look, unit=unit, x_label=xLabel, categories=categories, series=series)
    return DrawnChart(chart=chart).shown(f"The user sees {described(chart)}.")


async def _from_file(
    ctx: ToolContext,
    look: dict[str, Any],
    file: tuple[str, str, str],
    columns: tuple[str, Sequence[str], Aggregate | None],
    words: tuple[str, str],
) -> ToolResult:
    name, inside, sheet = file
    x, y, aggregate = columns
    place = await place_of(ctx, name, inside)
    document = await ctx.use(DocumentReader).document(ctx.principal, place)
    table = await find_table(document, PartSelection(sheets=(sheet,) if sheet else ()), [*filter(None, [x, *y])])
    read = await asyncio.to_thread(chart_columns, table, look["kind"], x, y, aggregate)
    unit, x_label = words
    chart = make_chart(
        **look, unit=unit or read.unit, x_label=x_label or read.x_name, categories=read.categories, series=read.series
    )
    source = source_of(place, table.ref)
    shown = DrawnChart(chart=chart, source=place_at(table.ref, place.container_path).label, opens=source.opens)
    said = unmarked(" ".join([f"The user sees {described(chart)}, of {shown.source}.", *read.notes]))
    result = shown.shown(f"{said} {citation([source.mark])}")
    return result.model_copy(update={"sources": [source], "untrusted": True})


def described(chart: Chart) -> str:
    """What is shown, without all the numbers."""
    title = f" “{chart.title}”" if chart.title else ""
    count, first, last = len(chart.categories), chart.categories[0], chart.categories[-1]
    along = f"{count} categories from {_said(first)} to {_said(last)}" if count > 1 else f"one category, {_said(first)}"
    ranges = []
    for one in chart.series:
        known = [value for value in one.values if value is not None]
        gaps = len(one.values) - len(known)
        span = f"{_said(min(known))} to {_said(max(known))} {chart.unit}".rstrip() if known else "no value"
        ranges.append(f"{one.name or 'values'} {span}" + (f" with {gaps} gap{'s' * (gaps > 1)}" if gaps else ""))
    return f"a {chart.kind} chart{title} with {along}; {', '.join(ranges)}"


def _said(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"
