"""Charts of all shapes, for tests of laws."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from workroom.core.charts import LARGEST, MOST_SERIES

NUMBERS = st.floats(-LARGEST, LARGEST)
WORDS = st.text(max_size=50)
KINDS = st.sampled_from(["bar", "line", "area"])


@st.composite
def drawable(draw: st.DrawFn) -> dict[str, Any]:
    categories = draw(st.lists(WORDS | NUMBERS, min_size=1, max_size=30))
    size = len(categories)
    values = st.lists(NUMBERS | st.none(), min_size=size, max_size=size)
    names = draw(st.lists(WORDS.filter(str.strip), min_size=1, max_size=MOST_SERIES, unique_by=str.strip))
    series: list[dict[str, Any]] = [{"name": name, "values": draw(values)} for name in names]
    series[0]["values"][0] = draw(NUMBERS)
    return {"kind": draw(KINDS), "title": draw(WORDS), "categories": categories, "series": series}
