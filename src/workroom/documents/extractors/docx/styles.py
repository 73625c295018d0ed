"""Styles of a DOCX file: heading levels, lists, font size and weight."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import local_name

# Word keeps English names for its own styles in every language; other programs translate them.
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|заголовок|標題|标题|見出し|제목)\s*([1-9])",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"caption|beschriftung|légende|legenda|didascalia|题注|題注", re.IGNORECASE)
_TITLE = re.compile(r"title|titel|titre|título|标题|標題", re.IGNORECASE)
_DEPTH = 20
_LEVELS = 9
DEFAULT_SIZE = 11.0


@dataclass(frozen=True)
class DocxStyle:
    name: str
    based_on: str
    level: int | None  # of a heading, from 1
    list_id: str | None
    list_level: int | None
    size: float | None
    bold: bool | None


class DocxStyles:
    def __init__(self, root: Any) -> None:
        self._styles: dict[str, DocxStyle] = {}
        self.default = ""
        self.default_size = DEFAULT_SIZE
        if root is None:
            return
        for element in root.iterfind("{*}style"):
            id_ = attribute(element, "styleId")
            self._styles[id_] = _style(element)
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in ("1", "true", "on"):
                self.default = id_
        size = root.find("{*}docDefaults/{*}rPrDefault/{*}rPr/{*}sz")
        self.default_size = half_points(size) or DEFAULT_SIZE

    def level(self, id_: str) -> int | None:
        for style in self._chain(id_):
            if style.level is not None:
                return style.level if 1 <= style.level <= _LEVELS else None
        return None

    def numbering(self, id_: str) -> tuple[str | None, int | None]:
        list_id = level = None
        for style in self._chain(id_):
            list_id = style.list_id if list_id is None else list_id
            level = style.list_level if level is None else level
        return list_id, level

    def font(self, id_: str) -> tuple[float, bool]:
        size = bold = None
        for style in self._chain(id_):
            size = style.size if size is None else size
            bold = style.bold if bold is None else bold
        return size or self.default_size, bool(bold)

    def is_caption(self, id_: str) -> bool:
        return any(_CAPTION.match(style.name) for style in self._chain(id_)[:2])

    def is_title(self, id_: str) -> bool:
        style = self._styles.get(id_)
        return style is not None and _TITLE.fullmatch(style.name) is not None

    def _chain(self, id_: str) -> list[DocxStyle]:
        """The style and those it is based on, without cycles."""
        chain: list[DocxStyle] = []
        current = self._styles.get(id_ or self.default)
        while current is not None and len(chain) < _DEPTH:
            chain.append(current)
            current = self._styles.get(current.based_on) if current.based_on else None
        return chain


def attribute(element: Any, name: str) -> str:
    """An attribute by its local name, in any namespace or none."""
    plain_value = element.get(name)
    if plain_value is not None:
        return str(plain_value)
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def number(element: Any) -> int | None:
    """The value of an element such as `<w:ilvl w:val="2"/>`."""
    value = "" if element is None else attribute(element, "val")
    return int(value) if value.lstrip("-").isdecimal() and len(value) < 10 else None


def half_points(element: Any) -> float | None:
    value = number(element)
    return value / 2 if value and 2 <= value <= 1000 else None


def is_on(element: Any) -> bool | None:
    """Of an element that switches something: present means on, unless it says otherwise."""
    if element is None:
        return None
    return attribute(element, "val") not in ("0", "false", "off", "none")


def _style(element: Any) -> DocxStyle:
    parts = {local_name(child): child for child in element}
    name = attribute(parts["name"], "val") if "name" in parts else ""
    paragraph, run = parts.get("pPr"), parts.get("rPr")
    outline = None if paragraph is None else number(paragraph.find("{*}outlineLvl"))
    named = _HEADING.fullmatch(name.strip())
    lists = None if paragraph is None else paragraph.find("{*}numPr")
    return DocxStyle(
        name=name,
        based_on=attribute(parts["basedOn"], "val") if "basedOn" in parts else "",
        level=outline + 1 if outline is not None else int(named.group(1)) if named else None,
        list_id=None if lists is None or lists.find("{*}numId") is None else attribute(lists.find("{*}numId"), "val"),
        list_level=None if lists is None else number(lists.find("{*}ilvl")),
        size=None if run is None else half_points(run.find("{*}sz")),
        bold=None if run is None else is_on(run.find("{*}b")),
    )
