"""Text of a shape: paragraphs with their list marks and links, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name

_INDENT = "  "
_MAX_LEVEL = 8

# Whether a paragraph of this level is a list item where its own properties do not say: asks layout and master.
Inherited = Callable[[int], str | None]


def paragraphs(body: Any, inherited: Inherited | None = None) -> Iterator[str]:
    """`body` holds `a:p` elements."""
    counters: dict[int, int] = {}
    for paragraph in body.iterfind("{*}p"):
        text = run_text(paragraph).strip()
        if not text:
            counters.clear()
            continue
        level, mark = _mark(paragraph, inherited)
        for deeper in [known for known in counters if known > level]:
            del counters[deeper]
        if mark == "number":
            counters[level] = counters.get(level, 0) + 1
            yield f"{_INDENT * level}{counters[level]}. {text}"
        elif mark == "bullet":
            yield f"{_INDENT * level}- {text}"
        else:
            counters.clear()
            yield text


def run_text(paragraph: Any) -> str:
    """Runs, fields and line breaks in order; formulas as their text. What an older program would see is left out."""
    pieces: list[str] = []
    for element in paragraph.iter():
        name = local_name(element)
        if name == "t" and not _is_fallback(element, paragraph):
            pieces.append(element.text or "")
        elif name == "br":
            pieces.append("\n")
        elif name == "tab":
            pieces.append("\t")
    return "".join(pieces)


def own_mark(properties: Any) -> str | None:
    """`bullet`, `number`, `none`, or None when nothing is said."""
    if properties is None:
        return None
    for child in properties:
        mark = {"buNone": "none", "buChar": "bullet", "buBlip": "bullet", "buAutoNum": "number"}.get(local_name(child))
        if mark:
            return mark
    return None


def _mark(paragraph: Any, inherited: Inherited | None) -> tuple[int, str | None]:
    properties = paragraph.find("{*}pPr")
    level_text = "" if properties is None else properties.get("lvl", "")
    level = min(int(level_text), _MAX_LEVEL) if level_text.isdecimal() else 0
    return level, own_mark(properties) or (inherited(level) if inherited else None)


def _is_fallback(element: Any, within: Any) -> bool:
    for ancestor in element.iterancestors():
        if ancestor is within:
            return False
        if local_name(ancestor) == "Fallback":
            return True
    return False
