"""Reads one paragraph: text with links and formulas, and embedded pictures, objects, charts, text boxes and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.docx.styles import attribute, is_on
from workroom.documents.flow.blocks import EmbeddedPart
from workroom.documents.office.formulas import latex
from workroom.documents.office.package import Relation

_DEPTH = 60
_SKIPPED = frozenset(
    {"del", "moveFrom", "pPr", "rPr", "sdtPr", "sdtEndPr", "instrText", "delText", "delInstrText", "Fallback", "rt"}
    | {"proofErr", "bookmarkStart", "bookmarkEnd", "softHyphen", "tcPr", "smartTagPr"}
)
_WINGDINGS = {"F0B7": "•", "F0A7": "▪", "F0D8": "➢", "F0FC": "✓", "F0FE": "☑", "F0A8": "☐", "F06F": "☐", "F0E0": "→"}


@dataclass
class DocxInline:
    text: list[str] = field(default_factory=list)
    parts: list[EmbeddedPart] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)  # their contents: paragraphs and tables
    footnotes: list[str] = field(default_factory=list)  # ids
    endnotes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)  # addresses of pictures that are not in the file

    @property
    def plain_text(self) -> str:
        return "".join(self.text).strip(" \t\n")


class DocxParagraphReader:
    """Reads paragraphs of one part, resolving ids by its relationships."""

    def __init__(self, relations: dict[str, Relation]) -> None:
        self._relations = relations
        self._actions: dict[str, Callable[[Any, DocxInline, int], None]] = {
            "t": lambda element, inline, _: inline.text.append(element.text or ""),
            "tab": lambda _, inline, __: inline.text.append("\t"),
            "ptab": lambda _, inline, __: inline.text.append("\t"),
            "cr": lambda _, inline, __: inline.text.append("\n"),
            "noBreakHyphen": lambda _, inline, __: inline.text.append("-"),
            "br": self._line_break,
            "sym": self._symbol,
            "hyperlink": self._link,
            "oMath": self._formula,
            "oMathPara": self._formulas,
            "drawing": self._drawing,
            "pict": self._drawing,
            "object": self._drawing,
            "footnoteReference": self._footnote,
            "endnoteReference": self._endnote,
            "commentReference": lambda element, inline, _: inline.comments.append(attribute(element, "id")),
            "sdt": self._control,
            "AlternateContent": self._alternative,
        }

    def read(self, paragraph: Any) -> DocxInline:
        inline = DocxInline()
        self._children(paragraph, inline, 0)
        return inline

    def _children(self, element: Any, inline: DocxInline, depth: int) -> None:
        if depth > _DEPTH:
            return
        for child in element:
            name = local_name(child)
            if name in _SKIPPED:
                continue
            action = self._actions.get(name)
            if action is not None:
                action(child, inline, depth + 1)
            elif len(child):
                self._children(child, inline, depth + 1)

    def _line_break(self, element: Any, inline: DocxInline, _: int) -> None:
        if attribute(element, "type") not in ("page", "column"):
            inline.text.append("\n")

    def _symbol(self, element: Any, inline: DocxInline, _: int) -> None:
        inline.text.append(_WINGDINGS.get(attribute(element, "char").upper(), ""))

    def _link(self, element: Any, inline: DocxInline, depth: int) -> None:
        inside = DocxInline(parts=inline.parts, boxes=inline.boxes, outside=inline.outside)
        self._children(element, inside, depth)
        relation = self._relations.get(attribute(element, "id"))
        text = "".join(inside.text)
        address = relation.target if relation is not None and relation.external else ""
        shown = text.strip()
        inline.text.append(f"[{shown}]({address})" if address and shown and address != shown else text)

    def _formula(self, element: Any, inline: DocxInline, _: int) -> None:
        if text := latex(element):
            inline.text.append(f" ${text}$ ")

    def _formulas(self, element: Any, inline: DocxInline, _: int) -> None:
        texts = [latex(formula) for formula in element if local_name(formula) == "oMath"]
        inline.text.extend(f"\n$${text}$$\n" for text in texts if text)

    def _footnote(self, element: Any, inline: DocxInline, _: int) -> None:
        id_ = attribute(element, "id")
        inline.footnotes.append(id_)
        inline.text.append(f"[^{id_}]")

    def _endnote(self, element: Any, inline: DocxInline, _: int) -> None:
        id_ = attribute(element, "id")
        inline.endnotes.append(id_)
        inline.text.append(f"[^e{id_}]")

    def _control(self, element: Any, inline: DocxInline, depth: int) -> None:
        """A content control; a checkbox is written as in Markdown."""
        box = element.find("{*}sdtPr/{*}checkbox")
        content = element.find("{*}sdtContent")
        if box is not None:
            inline.text.append("[x] " if is_on(box.find("{*}checked")) else "[ ] ")
        elif content is not None:
            self._children(content, inline, depth)

    def _alternative(self, element: Any, inline: DocxInline, depth: int) -> None:
        """Alternate content for newer and older programs: the first choice is read."""
        choice = element.find("{*}Choice")
        chosen = choice if choice is not None else element.find("{*}Fallback")
        if chosen is not None:
            self._children(chosen, inline, depth)

    def _drawing(self, element: Any, inline: DocxInline, depth: int) -> None:
        description = ""
        for item in element.iter():
            name = local_name(item)
            if name == "docPr":
                description = attribute(item, "descr") or attribute(item, "title")
            elif name == "shape" and not description:
                description = attribute(item, "alt")
            elif name == "txbxContent":
                if not any(local_name(above) in ("txbxContent", "Fallback") for above in _between(item, element)):
                    inline.boxes.append(item)
            elif kind := _KINDS.get(name):
                self._add_part(item, kind, description, inline)

    def _add_part(self, item: Any, kind: str, description: str, inline: DocxInline) -> None:
        for name in ("embed", "id", "dm", "link"):
            relation = self._relations.get(attribute(item, name)) if attribute(item, name) else None
            if relation is None:
                continue
            if relation.external:
                inline.outside.append(relation.target)
            elif all(part.target != relation.target for part in inline.parts):
                inline.parts.append(EmbeddedPart(kind, relation.target, description))
            return


_KINDS = {"blip": "image", "imagedata": "image", "OLEObject": "object", "chart": "chart", "relIds": "diagram"}


def _between(item: Any, top: Any) -> list[Any]:
    ancestors = []
    for above in item.iterancestors():
        if above is top:
            break
        ancestors.append(above)
    return ancestors
