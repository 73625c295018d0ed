"""Charts for documents: every kind becomes a picture, nothing stands on something else, and texts stay texts."""

from __future__ import annotations

import io
import json
import re
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.core.chart_strategies import drawable
from workroom.core.charts import Chart, make_chart
from workroom.core.languages import LANGUAGES, Language
from workroom.documents.chart_writer import language as words
from workroom.documents.chart_writer.chart import chart_png, chart_typst
from workroom.documents.chart_writer.layout import WIDTH, drawing_of
from workroom.documents.chart_writer.marks import COLOURS, Mark, width_of
from workroom.documents.chart_writer.ticks import date_ticks, inner_ticks, number_ticks

TOKENS = Path(__file__).parents[3] / "web" / "src" / "styles" / "tokens.css"
QUARTERS = ["Q1", "Q2", "Q3", "Q4"]
TWO = [{"name": "Revenue", "values": [120_500, 90_000, None, 143_000]}, {"name": "Profit", "values": [4, 2, -5_000, 5]}]
KINDS: dict[str, dict[str, Any]] = {
    "bar": {"kind": "bar", "categories": QUARTERS, "series": TWO},
    "lying": {"kind": "bar", "categories": QUARTERS, "series": TWO, "horizontal": True, "stacked": True},
    "line": {"kind": "line", "categories": ["2026-01", "2026-02", "2026-03", "2026-05"], "series": TWO},
    "area": {"kind": "area", "categories": [2021, 2022, 2023, 2024], "series": TWO, "stacked": True},
    "scatter": {"kind": "scatter", "categories": [1.5, 2, 7, 3], "series": TWO},
    "pie": {"kind": "pie", "categories": QUARTERS, "series": [{"values": [3, 2, 0, 1]}], "unit": "CHF"},
}


def chart(kind: str, **more: Any) -> Chart:
    return make_chart(**{**KINDS[kind], **more})


def texts(marks: list[Mark]) -> list[Mark]:
    return [mark for mark in marks if mark["kind"] == "text"]


def span(mark: Mark) -> tuple[float, float]:
    width = width_of(mark["text"], mark["size"])
    start = mark["at"][0] - {"start": 0.0, "center": width / 2, "end": width}[mark["anchor"]]
    return start, start + width


@pytest.mark.requirement("P5")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_picture_in_the_colours_of_its_series(kind: str) -> None:
    picture = Image.open(io.BytesIO(chart_png(chart(kind, title="Sales"), "de"))).convert("RGB")
    assert picture.width > 1_000
    found = {colour: count for count, colour in picture.getcolors(maxcolors=1 << 24) or []}
    for expected in COLOURS[:2]:
        rgb = tuple(int(expected[at : at + 2], 16) for at in (1, 3, 5))
        assert found.get(rgb, 0) > 100, f"{expected} is not seen"
    assert found[(255, 255, 255)] > picture.width * picture.height / 3


def test_texts_are_never_markup() -> None:
    hostile = '#panic("a") \\")) #panic() $x$ *b* \\u{41}\n`c` 表'
    series = [{"name": f"{hostile}{n}", "values": [1, 2]} for n in range(2)]
    made = make_chart(kind="bar", title=hostile, categories=[hostile, "b"], series=series, unit="#x", y_label=hostile)
    expression = chart_typst(made, "en")
    said = re.search(r'\(json\(bytes\("(.*)"\)\)\)$', expression)
    assert said
    assert "panic" not in expression.replace(said[1], ""), "texts are in the string alone"
    data = json.loads(said[1].replace('\\"', '"').replace("\\\\", "\\"))
    assert " ".join(hostile.split()) in [mark["text"] for mark in data["marks"] if mark["kind"] == "text"]
    assert chart_png(made, "en").startswith(b"\x89PNG"), "with anything of it as markup it would not compile"


@given(drawable(), st.sampled_from(LANGUAGES), st.booleans(), st.booleans())
@settings(max_examples=150)
def test_everything_stands_within_its_picture(
    parts: dict[str, Any], language: Language, stacked: bool, lies: bool
) -> None:
    drawing = drawing_of(make_chart(**parts, stacked=stacked, horizontal=lies), language)
    for mark in drawing.marks:
        places = mark.get("points") or [mark["at"]]
        assert all(-0.1 <= x <= WIDTH + 0.1 and -0.1 <= y <= drawing.height + 0.1 for x, y in places), mark


def rows_of_labels(made: Chart, language: Language) -> list[list[tuple[float, float]]]:
    rows: dict[float, list[tuple[float, float]]] = {}
    for mark in texts(drawing_of(made, language).marks):
        if mark["anchor"] == "center" and not mark["turned"]:
            rows.setdefault(mark["at"][1], []).append(span(mark))
    return [sorted(row) for row in rows.values()]


def touching(row: list[tuple[float, float]]) -> bool:
    return any(end >= start for (_, end), (start, _) in pairwise(row))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 5, 12, 60, 200])
@pytest.mark.parametrize("axis", ["names", "days", "numbers", "months"])
@pytest.mark.parametrize("kind", ["bar", "line"])
def test_labels_along_an_axis_do_not_touch(language: Language, count: int, axis: str, kind: str) -> None:
    categories = {
        "names": [f"Department of {n} things" for n in range(count)],
        "days": [f"20{20 + n // 300}-{1 + n // 25 % 12:02d}-{1 + n % 25:02d}" for n in range(count)],
        "numbers": [n * 12_345.5 for n in range(count)],
        "months": [f"{2000 + n // 12}-{1 + n % 12:02d}" for n in range(count)],
    }[axis]
    made = make_chart(kind=kind, categories=categories, series=[{"values": list(range(count))}])
    assert not any(touching(row) for row in rows_of_labels(made, language))


DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1)).map(date.isoformat)
MONTHS = DAYS.map(lambda day: day[:7])


@given(
    st.lists(DAYS, min_size=1, max_size=4)
    | st.lists(MONTHS, min_size=1, max_size=4)
    | st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=4),
    st.sampled_from(LANGUAGES),
)
@example(["2026-01-01", "2026-01-06"], "de")
@settings(max_examples=300)
def test_labels_of_any_scale_do_not_touch(categories: list[Any], language: Language) -> None:
    made = make_chart(kind="line", categories=categories, series=[{"values": [1] * len(categories)}])
    assert not any(touching(row) for row in rows_of_labels(made, language))


@given(st.floats(-1e15, 1e15), st.floats(-1e15, 1e15))
@example(0.0, 5e-324)
@example(1e15, 1e15 - 0.125)
def test_ticks_are_round_and_reach_over_the_values(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    ticks = number_ticks(low, high, 5)
    slack = 1e-6 * (ticks[-1] - ticks[0])
    assert slack > 0
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert 2 <= len(ticks) <= 9
    step = ticks[1] - ticks[0]
    assert f"{step:.6e}"[0] in "125", "a step of 1, 2, 2.5 or 5"


def test_ticks_between_are_no_finer_than_what_they_tell_apart() -> None:
    assert inner_ticks(2020, 2022, 12, 1.0) == [2020, 2021, 2022]
    shows = (lambda d: f"y{d.year}", lambda d: f"m{d.month}", lambda d: f"d{d.day}", lambda d: f"h{d.hour}")

    def named(first: str, last: str, wanted: int, least: float = 0.0) -> list[str]:
        ends = (datetime.fromisoformat(first), datetime.fromisoformat(last))
        return [name for _, name in date_ticks(*ends, wanted, shows, least)]

    assert named("2026-01-01", "2026-04-02", 6) == ["m1", "m2", "m3", "m4"]
    assert named("2020-01-01", "2026-04-02", 4) == ["y2020", "y2022", "y2024", "y2026"]
    assert named("2026-01-01", "2026-01-04", 6) == ["d1", "d2", "d3", "d4"]
    assert named("2026-01-01T06:00", "2026-01-01T12:00", 3) == ["h6", "h9", "h12"]
    assert named("2026-01-01", "2026-02-01", 6, least=28) == ["m1", "m2"]


@pytest.mark.parametrize(
    ("language", "number", "date"),
    [
        ("de", "−1’234’567.5", "31. März 2026"),
        ("en", "−1,234,567.5", "31 Mar 2026"),
        ("fr", "−1\u202f234\u202f567,5", "31 mars 2026"),
        ("pt", "−1.234.567,5", "31 mar. 2026"),
        ("zh", "−1,234,567.5", "2026年3月31日"),
    ],
)
def test_numbers_and_dates_are_in_the_readers_language(language: Language, number: str, date: str) -> None:
    assert words.number(-1_234_567.5, language) == number
    made = make_chart(kind="line", categories=["2026-03-31"], series=[{"values": [1]}])
    assert words.categories(made, language) == [date]


def test_years_are_not_grouped_and_gaps_are_not_drawn_over() -> None:
    assert "2021" in [mark["text"] for mark in texts(drawing_of(chart("area"), "de").marks)]
    lines = [mark for mark in drawing_of(chart("line"), "de").marks if mark["kind"] == "path" and mark["width"] == 1.6]
    assert [len(line["points"]) for line in lines if line["colour"] == COLOURS[0]] == [2, 2, 1], (
        "a swatch, then two runs"
    )


def test_colours_are_those_of_the_page() -> None:
    on_page = re.findall(r"--chart-\d: light-dark\((#\w{6}),", TOKENS.read_text())
    assert tuple(on_page) == COLOURS
