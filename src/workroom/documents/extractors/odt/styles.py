"""Styles of an ODT file: headings, captions, page breaks, font size, list labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import local_name

_HEADING = re.compile(r"Heading(?:_20_| )([1-9])", re.IGNORECASE)
_CAPTIONS = frozenset({"caption", "figure", "illustration", "table", "drawing", "text"})
_POINTS = re.compile(r"(\d+(?:\.\d+)?)pt")
_DEPTH = 20
DEFAULT_SIZE = 12.0


@dataclass(frozen=True)
class OdtStyle:
    parent: str
    breaks_page: bool | None
    size: float | None
    bold: bool | None


@dataclass(frozen=True)
class OdtListLevel:
    format: str | None = None  # None: a bullet
    prefix: str = ""
    suffix: str = ""
    start: int = 1


class OdtStyles:
    def __init__(self) -> None:
        self._styles: dict[str, OdtStyle] = {}
        self._lists: dict[str, dict[int, OdtListLevel]] = {}

    def add(self, element: Any) -> None:
        """A style or a list style, from either of the two parts that have them."""
        name = attribute(element, "name")
        if local_name(element) == "list-style":
            self._lists[name] = {_int(attribute(level, "level"), 1): _level(level) for level in element}
        elif attribute(element, "family") == "paragraph":
            self._styles[name] = _style(element)

    def add_all(self, root: Any) -> None:
        for element in [] if root is None else root.iter("{*}style", "{*}list-style"):
            self.add(element)

    def breaks_page(self, name: str) -> bool:
        """Only what the style itself says: LibreOffice makes one for each paragraph that breaks the page."""
        style = self._styles.get(name)
        return style is not None and bool(style.breaks_page)

    def level(self, name: str) -> int | None:
        for known in [name, *(style.parent for style in self._chain(name))]:
            if match := _HEADING.fullmatch(known):
                return int(match.group(1))
        return None

    def is_caption(self, name: str) -> bool:
        names = [name, *(style.parent for style in self._chain(name))]
        return any(known.casefold() in _CAPTIONS for known in names)

    def is_title(self, name: str) -> bool:
        return "Title" in [name, *(style.parent for style in self._chain(name))]

    def font(self, name: str) -> tuple[float, bool]:
        size = bold = None
        for style in self._chain(name):
            size = style.size if size is None else size
            bold = style.bold if bold is None else bold
        return size or DEFAULT_SIZE, bool(bold)

    def list_level(self, name: str, level: int) -> OdtListLevel:
        return self._lists.get(name, {}).get(level, OdtListLevel())

    def _chain(self, name: str) -> list[OdtStyle]:
        chain: list[OdtStyle] = []
        current = self._styles.get(name)
        while current is not None and len(chain) < _DEPTH:
            chain.append(current)
            current = self._styles.get(current.parent)
        return chain


def attribute(element: Any, name: str) -> str:
    """An attribute by its local name, in any namespace."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _style(element: Any) -> OdtStyle:
    paragraph = element.find("{*}paragraph-properties")
    text = element.find("{*}text-properties")
    before = "" if paragraph is None else attribute(paragraph, "break-before")
    size = _POINTS.fullmatch("" if text is None else attribute(text, "font-size"))
    weight = "" if text is None else attribute(text, "font-weight")
    return OdtStyle(
        parent=attribute(element, "parent-style-name"),
        breaks_page=before == "page" if before else None,
        size=float(size.group(1)) if size else None,
        bold=weight in ("bold", "600", "700", "800", "900") if weight else None,
    )


def _level(element: Any) -> OdtListLevel:
    if local_name(element) != "list-level-style-number":
        return OdtListLevel()
    return OdtListLevel(
        format=attribute(element, "num-format"),
        prefix=attribute(element, "num-prefix"),
        suffix=attribute(element, "num-suffix"),
        start=_int(attribute(element, "start-value"), 1),
    )


def _int(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else otherwise
