"""The SVG that is being drawn. Every element is complete when it is added, so that it can end at any time; nothing in it
refers to anything outside, and what comes from a document is escaped here or is a number."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workroom.documents.content import clean

MAX_SVG = 4 << 20
_HEAD = 1_000


class Full(Exception):
    """The drawing has become as large as it may be."""


class Canvas:
    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._elements: list[str] = []
        self._definitions: dict[str, str] = {}
        self._size = _HEAD

    @property
    def room(self) -> int:
        """Bytes that can still be added."""
        return MAX_SVG - self._size

    def add(self, element: str) -> None:
        self._take(element)
        self._elements.append(element)

    def define(self, body: str) -> str:
        """A gradient, a clip, an arrow head: written once for all uses. `body` has `{id}` where its name goes."""
        if body not in self._definitions:
            self._take(body)
            self._definitions[body] = f"d{len(self._definitions)}"
        return self._definitions[body]

    def finished(self, pixels: int) -> bytes:
        high = max(1, round(pixels * self.height / self.width))
        definitions = "".join(body.replace("{id}", name) for body, name in self._definitions.items())
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels}" height="{high}" xml:space="preserve" '
            f'viewBox="0 0 {number(self.width)} {number(self.height)}">'
        )
        return f"{head}<defs>{definitions}</defs>{''.join(self._elements)}</svg>".encode()

    def _take(self, element: str) -> None:
        self._size += len(element.encode())
        if self._size > MAX_SVG:
            raise Full


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def attributes(**values: str | float | None) -> str:
    """`stroke_width=2` is `stroke-width="2"`; None is left out."""
    return "".join(
        f' {name.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for name, value in values.items()
        if value is not None
    )


def words(text: str) -> str:
    return escape(clean(text).replace("\n", " "), quote=False)


def transform(steps: Sequence[str]) -> str:
    return f' transform="{" ".join(steps)}"' if steps else ""
