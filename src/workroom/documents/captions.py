"""Captions: lines that say what a picture or a table shows."""

from __future__ import annotations

import re

_CAPTION = re.compile(
    r"(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)|bild|graf(?:ik|ico)|gráfico|chart|diagramm?|photo|foto"
    r"|table(?:au)?|tab(?:elle|ela|\.)|图|圖|表)"
    r"\s*(?:\d|[一二三四五六七八九十]|(?-i:[IVX]+\b|[A-Z][.\-]?\d))",
    re.IGNORECASE,
)


def is_caption(text: str) -> bool:
    """`Figure 3: Overview`, `Abb. 2`, `图 1`."""
    return _CAPTION.match(text) is not None
