"""Styles of a presentation: by family and name, what they inherit, and the few things that are named like them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.open_slide_pictures.lengths import attribute

_DEEPEST = 20
_MOST = 50_000

Chain = Sequence[Any]  # styles, the nearest first


class OpenSlideStyles:
    """Those that all slides share, and the automatic ones of one part: slides and masters may use the same names."""

    def __init__(self, shared: Any, automatic: Any) -> None:
        self._styles: dict[tuple[str, str], Any] = {}
        self._defaults: dict[str, Any] = {}
        self._lists: dict[str, Any] = {}
        self._named: dict[tuple[str, str], Any] = {}
        for holder in (shared, automatic):
            for count, element in enumerate(() if holder is None else holder):
                if count > _MOST:
                    break
                self._add(element)

    def chain(self, family: str, name: str) -> list[Any]:
        """A style, its parents, and what counts for all of its family."""
        found: list[Any] = []
        while name and len(found) < _DEEPEST and (style := self._styles.get((family, name))) is not None:
            found.append(style)
            name = attribute(style, "parent-style-name")
        default = self._defaults.get("graphic" if family == "presentation" else family)
        return [*found, *([] if default is None else [default])]

    def list_level(self, name: str, level: int) -> Any:
        return level_in(self._lists.get(name), level)

    def named(self, kind: str, name: str) -> Any:
        """A gradient, a picture to fill with, a marker."""
        return self._named.get((kind, name))

    def _add(self, element: Any) -> None:
        kind, name = local_name(element), attribute(element, "name")
        if kind == "style":
            self._styles[attribute(element, "family"), name] = element
        elif kind == "default-style":
            self._defaults[attribute(element, "family")] = element
        elif kind == "list-style":
            self._lists[name] = element
        else:
            self._named[kind, name] = element


def level_in(styles: Any, level: int) -> Any:
    """What a list style says of a level, from 1."""
    for element in () if styles is None else styles:
        if attribute(element, "level") == str(level):
            return element
    return None


def said(chain: Iterable[Any], group: str, name: str) -> str:
    """The first value of an attribute; `group` is `text`, `paragraph`, `graphic`, …"""
    for style in chain:
        for properties in style.iterfind(f"{{*}}{group}-properties"):
            if value := attribute(properties, name):
                return value
    return ""
