"""Charts in a text: blocks of code with the language `chart`, whose body is the chart as JSON. What cannot be drawn is code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from workroom.core.charts import Chart
from workroom.core.languages import language_or_default
from workroom.documents import chart_writer
from workroom.documents.chart_writer.chart import chart_png
from workroom.documents.chart_writer.layout import drawing_of
from workroom.documents.writers.markdown_blocks import Block, printable

DRAW = Path(chart_writer.__file__).parent / "draw.typ"
LANGUAGE = "chart"


def with_drawings(blocks: Sequence[Block], language: str) -> list[Block]:
    """Charts as what `draw.typ` draws."""
    return [_changed(block, lambda chart: {"kind": "chart", "drawing": _drawing(chart, language)}) for block in blocks]


class ChartPictures:
    """Charts as pictures, for formats that cannot draw them. `pictures` grows while blocks are read."""

    def __init__(self, pictures: Mapping[str, bytes], language: str) -> None:
        self.pictures = dict(pictures)
        self._language = language_or_default(language)

    def within(self, blocks: Sequence[Block]) -> list[Block]:
        return [_changed(block, self._picture) for block in blocks]

    def _picture(self, chart: Chart) -> Block:
        source = f"chart:{len(self.pictures)}"
        self.pictures[source] = chart_png(chart, self._language)
        return {"kind": "image", "source": source, "text": "", "alt": printable(chart.title)}


def with_tables(blocks: Sequence[Block]) -> list[Block]:
    """Charts as the tables they show."""
    return [_changed(block, _table) for block in blocks]


def _changed(block: Block, drawn: Callable[[Chart], Block]) -> Block:
    match block["kind"]:
        case "code" if block["language"].lower() == LANGUAGE and (chart := _chart(block["text"])) is not None:
            return drawn(chart)
        case "quote":
            return block | {"blocks": [_changed(inner, drawn) for inner in block["blocks"]]}
        case "list":
            return block | {"items": [[_changed(inner, drawn) for inner in item] for item in block["items"]]}
    return block


def _chart(text: str) -> Chart | None:
    try:
        return Chart.model_validate_json(text)
    except (ValidationError, RecursionError):
        return None


def _drawing(chart: Chart, language: str) -> Mapping[str, object]:
    return asdict(drawing_of(chart, language_or_default(language)))


def _table(chart: Chart) -> Block:
    return {
        "kind": "table",
        "align": ["start", *["right" for _ in chart.series]],
        "rows": [[_cell(words) for words in row] for row in _rows(chart)],
        "caption": _cell(chart.title),
    }


def _rows(chart: Chart) -> Iterator[list[str]]:
    yield [chart.x_label, *(one.name or chart.y_label or chart.unit for one in chart.series)]
    for at, category in enumerate(chart.categories):
        values = [one.values[at] for one in chart.series]
        yield [_said(category), *("" if value is None else _said(value) for value in values)]


def _said(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.15g}"


def _cell(words: str) -> list[Block]:
    return [{"kind": "text", "text": words}] if words else []
