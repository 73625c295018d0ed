"""Charts as tables: the numbers an office file keeps with each chart, one column per series."""

from __future__ import annotations

from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.whitespace import one_line

_MAX_POINTS = 2_000
_MAX_SERIES = 100


def chart_title(root: Any) -> str:
    title = root.find(".//{*}chart/{*}title")
    return "" if title is None else one_line(" ".join(text.text or "" for text in title.iter("{*}t")), 300)


def chart_kind(root: Any) -> str:
    """`bar`, `line`, `pie` …"""
    plot = root.find(".//{*}plotArea")
    names = [] if plot is None else [local_name(child) for child in plot]
    return next((name.removesuffix("Chart").lower() for name in names if name.endswith("Chart")), "")


def chart_rows(root: Any) -> list[list[str]]:
    """The first row names the series, the first column the categories. Empty when nothing is kept with the chart."""
    series = list(root.iter("{*}ser"))[:_MAX_SERIES]
    columns: list[tuple[str, dict[int, str]]] = []
    categories: dict[int, str] = {}
    for number, item in enumerate(series, start=1):
        values = _points(item.find("{*}val")) or _points(item.find("{*}yVal"))
        categories = categories or _points(item.find("{*}cat")) or _points(item.find("{*}xVal"))
        columns.append((_name(item) or f"Series {number}", values))
    indices = sorted({*categories, *(index for _, values in columns for index in values)})[:_MAX_POINTS]
    if not indices:
        return []
    rows = [["", *(name for name, _ in columns)]]
    rows.extend(
        [categories.get(index, str(index + 1)), *(values.get(index, "") for _, values in columns)] for index in indices
    )
    return rows


def _name(series: Any) -> str:
    """From the cells it stands in, or written out."""
    holder = series.find("{*}tx")
    if holder is None:
        return ""
    return one_line(" ".join(_points(holder).values()) or holder.findtext("{*}v") or "", 200)


def _points(holder: Any) -> dict[int, str]:
    """Values by index. Of categories in several levels, the first (the innermost) counts."""
    if holder is None:
        return {}
    cache = next(holder.iter("{*}lvl"), holder)
    points: dict[int, str] = {}
    for position, point in enumerate(cache.iter("{*}pt")):
        value = point.find("{*}v")
        index = point.get("idx", "")
        points[int(index) if index.isdecimal() else position] = _shown((value.text or "") if value is not None else "")
        if len(points) >= _MAX_POINTS:
            break
    return points


def _shown(text: str) -> str:
    """Numbers are kept with all the digits a processor has; people see fewer."""
    try:
        number = float(text)
    except ValueError:
        return text
    return text if text.lstrip("-").isdecimal() else f"{number:.12g}"
