"""Text within a paragraph: bold, italic, struck, code and links. Only links to websites and mail addresses are links; what they
point to is opened by the reader's click, never by opening the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workroom.documents.writers.addresses import web_address
from workroom.documents.writers.docx.styles import Styles
from workroom.documents.writers.docx.xml import text, w
from workroom.documents.writers.markdown_blocks import Block, is_right_to_left, plain_text
from workroom.documents.writers.package import OfficePackage, R

DEEPEST = 20


class Links:
    """The addresses that a part links to, by the ids of their relations."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def id(self, address: str) -> str | None:
        """None when it is no address that every program would open the file with."""
        linked = web_address(address)
        return None if linked is None else self._ids.setdefault(linked, f"workroomLink{len(self._ids) + 1}")

    def put(self, package: OfficePackage, part: str) -> None:
        if self._ids:
            targets = {id_: address for address, id_ in self._ids.items()}
            package.relate_all(part, "hyperlink", targets, external=True)


@dataclass(frozen=True)
class _Look:
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    link: bool = False


class DocxInlineWriter:
    """`note` makes a footnote of what it is given; without it, footnotes are left out."""

    def __init__(self, links: Links, styles: Styles, note: Callable[[Sequence[Block]], Any] | None = None) -> None:
        self._links, self._styles, self._note = links, styles, note

    def runs(self, parts: Sequence[Block], *, bold: bool = False) -> list[Any]:
        return list(self._runs(parts, _Look(bold=bold), 0))

    def _runs(self, parts: Sequence[Block], look: _Look, depth: int) -> Iterator[Any]:
        for part in parts:
            match part["kind"]:
                case "text":
                    yield self._run(part["text"], look)
                case "code":
                    yield self._run(part["text"], replace(look, code=True))
                case "break":
                    yield w("r", w("br"))
                case "footnote":
                    if self._note:
                        yield self._note(part["inline"])
                case _ if depth > DEEPEST:
                    yield self._run(plain_text([part]), look)
                case "strong":
                    yield from self._runs(part["inline"], replace(look, bold=True), depth + 1)
                case "em":
                    yield from self._runs(part["inline"], replace(look, italic=True), depth + 1)
                case "s":
                    yield from self._runs(part["inline"], replace(look, struck=True), depth + 1)
                case "link":
                    yield from self._link(part, look, depth)

    def _link(self, part: Block, look: _Look, depth: int) -> Iterator[Any]:
        id_ = self._links.id(part["href"]) if part["href"] and not look.link else None
        if id_ is None:
            yield from self._runs(part["inline"], look, depth + 1)
            return
        link = w("hyperlink", *self._runs(part["inline"], replace(look, link=True), depth + 1))
        link.set(f"{{{R}}}id", id_)
        yield link

    def _run(self, content: str, look: _Look) -> Any:
        style = "Code" if look.code else "Hyperlink" if look.link else ""
        properties = [
            w("rStyle", val=self._styles.id(style)) if style else None,
            w("b") if look.bold else None,
            w("i") if look.italic else None,
            w("strike") if look.struck else None,
        ]
        return run(content, *(one for one in properties if one is not None))


def run(content: str, *properties: Any) -> Any:
    if is_right_to_left(content):
        properties = (*properties, w("rtl"))
    return w("r", w("rPr", *properties) if properties else None, text(content))
