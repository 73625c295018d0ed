"""Charts for documents: as an expression of typst, and as a picture. Pure; to be called in the child process of a writer, which
has the library loaded."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from workroom.core.charts import Chart
from workroom.core.languages import Language
from workroom.documents.chart_writer.layout import drawing_of
from workroom.documents.writers.markdown_blocks import printable

PIXELS_PER_INCH = 200.0
_FONTS = ("Libertinus Serif", "Noto Sans CJK SC", "Noto Serif CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei")


def chart_typst(chart: Chart, language: Language) -> str:
    """An expression in typst's code mode: behind `#` in markup, or for `eval`. It draws the chart as wide as a page allows. Every
    text of the chart is in a string of JSON, which no markup comes out of."""
    data = json.dumps(asdict(drawing_of(_shown(chart), language)))  # ASCII alone
    return f"({_draw()})(json(bytes({_string(data)})))"


def chart_png(chart: Chart, language: Language) -> bytes:
    import typst

    fonts = ", ".join(_string(font) for font in _FONTS)
    page = "#set page(width: auto, height: auto, margin: 8pt, fill: white)"
    text = f"#set text(font: ({fonts}), lang: {_string(language)})"
    source = f"{page}\n{text}\n#{chart_typst(chart, language)}"
    made = typst.Compiler().compile(source.encode(), format="png", ppi=PIXELS_PER_INCH)
    assert isinstance(made, bytes)
    return made


@cache
def _draw() -> str:
    return (Path(__file__).parent / "draw.typ").read_text("utf-8").strip()


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _shown(chart: Chart) -> Chart:
    """Without characters that fonts do not have."""
    named = [one.model_copy(update={"name": printable(one.name)}) for one in chart.series]
    categories = tuple(printable(one) if isinstance(one, str) else one for one in chart.categories)
    words = {name: printable(getattr(chart, name)) for name in ("title", "x_label", "y_label", "unit")}
    return chart.model_copy(update={"series": tuple(named), "categories": categories, **words})
