"""A chart by tool: of what is in the conversation, or of a file whose numbers no model copies."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.making import sheet, xlsx
from tests.files.sending import make
from tests.tools.room import Room
from tests.world import World
from workroom.core.charts import Chart
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.results import FROM_OUTSIDE, ToolResult
from workroom.core.sources import cited_in
from workroom.skills.chart import DrawnChart, draw_chart

SALES = "Month;Revenue;Cost\n2026-01;1.200,50;800\n2026-02;1.000,00;–\n2026-03;-3,5;750\n"


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


async def drawn(room: Room, **arguments: Any) -> tuple[ToolResult, DrawnChart]:
    result: ToolResult = await room.call(draw_chart, **arguments)
    [action] = result.actions
    assert action.type == "drawnChart"
    return result, DrawnChart.model_validate(action.payload)


def figures(chart: Chart) -> tuple[list[Any], dict[str, list[Any]]]:
    return list(chart.categories), {one.name: list(one.values) for one in chart.series}


@pytest.mark.requirement("P5")
async def test_a_chart_of_what_was_said_is_a_widget_and_a_sentence_for_the_model(room: Room) -> None:
    series = [{"name": "Revenue", "values": [10, None, 30.5]}, {"name": "Cost", "values": [5, 6, 7]}]
    said = {"kind": "bar", "title": "Sales", "categories": ["Q1", "Q2", "Q3"], "unit": "CHF", "series": series}
    result, widget = await drawn(room, **said)
    assert figures(widget.chart) == (["Q1", "Q2", "Q3"], {"Revenue": [10, None, 30.5], "Cost": [5, 6, 7]})
    assert (result.untrusted, widget.source, widget.opens) == (False, "", None)
    assert result.text() == (
        "The user sees a bar chart “Sales” with 3 categories from Q1 to Q3;"
        " Revenue 10 to 30.5 CHF with 1 gap, Cost 5 to 7 CHF."
    )


@pytest.mark.requirement("P5")
@pytest.mark.requirement("I7")
async def test_the_numbers_of_a_file_are_read_from_it_and_marked_as_what_others_wrote(room: Room) -> None:
    file = await make(room.world, "bob", "sales.csv", SALES.encode())
    result, widget = await drawn(room, kind="line", fileId="sales.csv", x="month", y=["revenue", "cost"])
    months = ["2026-01", "2026-02", "2026-03"]
    assert figures(widget.chart) == (months, {"Revenue": [1200.5, 1000, -3.5], "Cost": [800, None, 750]})
    assert result.untrusted
    assert result.text().startswith(FROM_OUTSIDE)
    assert "Revenue -3.5 to 1200.5, Cost 750 to 800 with 1 gap, of sales.csv." in result.message
    assert "1000" not in result.message, "not all the numbers"
    assert [source.opens.file_id for source in result.sources if source.opens] == [file.id]
    assert list(cited_in(result.message)) == [source.mark for source in result.sources]
    assert (widget.source, widget.opens and widget.opens.file_id) == ("sales.csv", file.id)


@pytest.mark.requirement("P5")
async def test_a_sheet_of_a_workbook_below_its_title(room: Room) -> None:
    rows = {"A1": "Sales of the year", "A3": "Region", "B3": "Sum"}
    rows |= {"A4": "North", "B4": "<v>1.234</v>", "A5": "South", "B5": "<v>2</v>", "A6": "North", "B6": "<v>5.678</v>"}
    await make(room.world, "bob", "book.xlsx", xlsx({"Notes": sheet({"A1": "Region"}), "Q4": sheet(rows)}))
    _, widget = await drawn(room, kind="pie", fileId="book.xlsx", sheet="q4", x="Region", y=["Sum"], aggregate="sum")
    assert figures(widget.chart) == (["North", "South"], {"Sum": [6.912, 2]})
    assert widget.opens
    assert widget.opens.sheet == "Q4"
    with pytest.raises(InvalidInput, match=r"There is no sheet “Q5” here. There is “Notes”, “Q4”"):
        await room.call(draw_chart, kind="pie", fileId="book.xlsx", sheet="Q5")


async def test_a_long_table_is_read_to_its_end_and_the_one_below_it_is_not(room: Room) -> None:
    """Tables are kept in slices of two hundred rows."""
    lines = [f"{n % 7},{n}" for n in range(1_000)]
    await make(room.world, "bob", "long.csv", "\n".join(["day,value", *lines]).encode())
    _, widget = await drawn(room, kind="bar", fileId="long.csv", x="day", y=["value"], aggregate="sum")
    expected = [sum(range(day, 1_000, 7)) for day in range(7)]
    assert figures(widget.chart) == ([str(day) for day in range(7)], {"value": expected})
    below = {"A1": "x", "B1": "y", "A2": "a", "B2": "<v>1</v>", "A6": "z", "B6": "other", "A7": "b", "B7": "<v>9</v>"}
    await make(room.world, "bob", "two.xlsx", xlsx({"One": sheet(below)}))
    _, first = await drawn(room, kind="bar", fileId="two.xlsx", x="x", y=["y"])
    assert figures(first.chart) == (["a"], {"y": [1]})
    _, second = await drawn(room, kind="bar", fileId="two.xlsx", x="z", y=["other"])
    assert figures(second.chart) == (["b"], {"other": [9]})


@pytest.mark.requirement("P5")
async def test_a_chart_of_nothing_is_an_error_that_helps(room: Room) -> None:
    await make(room.world, "bob", "names.csv", b"Name,Place\nAnna,Bern\n")
    with pytest.raises(InvalidInput, match=r"No column has numbers. All columns: “Name”, “Place”"):
        await room.call(draw_chart, kind="bar", fileId="names.csv")
    with pytest.raises(InvalidInput, match=r"No table here has the columns “Year”. There are: “Name”, “Place”"):
        await room.call(draw_chart, kind="bar", fileId="names.csv", x="Year")
    await make(room.world, "bob", "words.txt", b"Nothing but words.")
    with pytest.raises(InvalidInput, match="There is no table here"):
        await room.call(draw_chart, kind="bar", fileId="words.txt")
    with pytest.raises(InvalidInput, match="at least one category"):
        await room.call(draw_chart, kind="bar")
    with pytest.raises(InvalidInput, match="not both"):
        await room.call(draw_chart, kind="bar", fileId="names.csv", categories=["a"])


@pytest.mark.requirement("N2")
async def test_what_one_may_not_read_is_not_drawn(room: Room) -> None:
    file = await make(room.world, "alice", "secret.csv", SALES.encode())
    for name in (str(file.id), "secret.csv"):
        with pytest.raises(NotFound):
            await room.call(draw_chart, kind="bar", fileId=name)
