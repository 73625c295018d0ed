"""What a chart may be: everything that can be drawn, and a sentence for everything that cannot."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.chart_strategies import drawable
from workroom.core.charts import (
    MOST_BARS,
    MOST_PARTS,
    MOST_POINTS,
    Chart,
    axis_of,
    make_chart,
    moment_of,
)
from workroom.core.errors import InvalidInput


@pytest.mark.requirement("P5")
@given(drawable())
def test_what_can_be_drawn_is_the_same_on_the_wire(parts: dict[str, Any]) -> None:
    chart = make_chart(**parts)
    assert Chart.model_validate_json(chart.model_dump_json()) == chart
    assert list(chart.categories) == parts["categories"]


@given(drawable(), st.integers(-3, 3).filter(bool))
def test_a_series_has_a_value_for_every_category(parts: dict[str, Any], more: int) -> None:
    first = parts["series"][0]["values"]
    parts["series"][0]["values"] = first + [1.0] * more if more > 0 else first[:more]
    with pytest.raises(InvalidInput, match="categories, but series"):
        make_chart(**parts)


@given(drawable())
def test_a_chart_of_gaps_is_a_chart_of_nothing(parts: dict[str, Any]) -> None:
    for one in parts["series"]:
        one["values"] = [None] * len(parts["categories"])
    with pytest.raises(InvalidInput, match="no series has a number"):
        make_chart(**parts)


def of(values: list[Any], kind: str = "bar", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "categories": [str(n) for n in range(len(values))], "series": [{"values": values}], **more}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"kind": "bar", "categories": [], "series": []}, "at least one category"),
        ({"kind": "bar", "categories": ["a"], "series": []}, "at least one category"),
        (of([1], kind="donut"), "kind: Input should be 'bar', 'line'"),
        (of([float("nan")]), "series.0.values.0"),
        (of([float("inf")]), "series.0.values.0"),
        (of([1e16]), "less than or equal to"),
        (of([1, "much"]), "series.0.values.1"),
        (of([1], tilt=3), "tilt"),
        (of([1, -1], kind="pie"), "no value may be negative"),
        (of([0, 0], kind="pie"), "one must be more than 0"),
        (of([1] * (MOST_PARTS + 1), kind="pie"), "Put the small ones together"),
        (of([1] * (MOST_BARS + 1)), "draw a line"),
        (of([1] * (MOST_POINTS + 1), kind="line"), "Aggregate them first"),
        (of([1, 2], kind="scatter") | {"categories": ["a", "b"]}, "needs numbers or ISO dates"),
        ({"kind": "pie", "categories": ["a"], "series": [{"name": n, "values": [1]} for n in "xy"]}, "stacked bars"),
        ({"kind": "bar", "categories": ["a"], "series": [{"name": "x", "values": [1]}] * 2}, "a name of its own"),
        (
            {"kind": "bar", "categories": ["a"], "series": [{"name": str(n), "values": [1]} for n in range(13)]},
            "at most 12 series",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        make_chart(**parts)
    assert said in refused.value.message


def test_the_axis_is_to_scale_only_where_everything_on_it_is() -> None:
    assert axis_of([1.0, 2.0]) == "number"
    assert axis_of(["2026-01", "2026-02-28", "2026-03-01T08:00"]) == "date"
    assert (
        axis_of(["2026-01", "later"])
        == axis_of(["2026-13"])
        == axis_of(["2026-02-30"])
        == axis_of(["a", 1.0])
        == "text"
    )
    assert moment_of("2026-03-01T01:00+02:00") == moment_of("2026-02-28T23:00Z")
