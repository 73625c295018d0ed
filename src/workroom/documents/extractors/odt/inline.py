"""Reads one paragraph: text with links, and embedded pictures, objects, text boxes, notes and comments."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.odt.styles import attribute
from workroom.documents.flow.blocks import EmbeddedPart, FlowNote
from workroom.documents.flow.pages import PageCounter
from workroom.documents.whitespace import one_line

_DEPTH = 60
_SPACES = 200
_SKIPPED = frozenset({"annotation-end", "tracked-changes", "note-citation", "ruby-text", "title", "desc", "deletion"})


@dataclass
class OdtInline:
    text: list[str] = field(default_factory=list)
    parts: list[EmbeddedPart] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    notes: list[FlowNote] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    @property
    def plain_text(self) -> str:
        return "".join(self.text).strip(" \t\n")


class OdtParagraphReader:
    def __init__(self, package: Any, pages: PageCounter) -> None:
        self._package = package
        self._pages = pages
        self._remarks = 0
        self._actions: dict[str, Callable[[Any, OdtInline, int], None]] = {
            "s": lambda element, inline, _: inline.text.append(" " * _count(element)),
            "tab": lambda _, inline, __: inline.text.append("\t"),
            "line-break": lambda _, inline, __: inline.text.append("\n"),
            "soft-page-break": lambda *_: self._pages.mark(),
            "a": self._link,
            "note": self._note,
            "annotation": self._remark,
            "frame": self._frame,
        }

    def read(self, paragraph: Any) -> OdtInline:
        inline = OdtInline()
        self._pages.line()
        self._children(paragraph, inline, 0)
        return inline

    def read_frame(self, frame: Any) -> OdtInline:
        """A frame that hangs in no paragraph."""
        inline = OdtInline()
        self._frame(frame, inline, 0)
        return inline

    def _children(self, element: Any, inline: OdtInline, depth: int) -> None:
        self._say(element.text, inline)
        for child in element:
            name = local_name(child)
            action = self._actions.get(name)
            if action is not None:
                action(child, inline, depth + 1)
            elif name not in _SKIPPED and depth < _DEPTH:
                self._children(child, inline, depth + 1)
            self._say(child.tail, inline)

    def _say(self, text: str | None, inline: OdtInline) -> None:
        """Add text; a run of white space is one space, since it formats the file only."""
        if text:
            words = " ".join(text.split())
            start, end = " " if text[0].isspace() else "", " " if text[-1].isspace() and words else ""
            self._pages.text(len(words))
            inline.text.append(f"{start}{words}{end}")

    def _link(self, element: Any, inline: OdtInline, depth: int) -> None:
        inside = OdtInline(parts=inline.parts, boxes=inline.boxes, notes=inline.notes, outside=inline.outside)
        self._children(element, inside, depth)
        address, shown = attribute(element, "href"), inside.plain_text
        outside = address and not address.startswith("#")
        inline.text.append(f"[{shown}]({address})" if outside and shown and shown != address else "".join(inside.text))

    def _note(self, element: Any, inline: OdtInline, _: int) -> None:
        kind = attribute(element, "note-class") or "footnote"
        citation = element.find("{*}note-citation")
        shown = one_line("".join(citation.itertext())) if citation is not None else ""
        id_ = (shown or "*") if kind == "footnote" else f"e{shown or '*'}"
        body = element.find("{*}note-body")
        inline.text.append(f"[^{id_}]")
        inline.notes.append(FlowNote(kind, id_, "" if body is None else self._texts(body)))

    def _remark(self, element: Any, inline: OdtInline, _: int) -> None:
        self._remarks += 1
        creator = element.find("{*}creator")
        author = one_line(creator.text or "", 100) if creator is not None else ""
        inline.notes.append(FlowNote("comment", str(self._remarks), self._texts(element), author))

    def _texts(self, holder: Any) -> str:
        """Of paragraphs inside something; they take no room on the page."""
        aside = OdtParagraphReader(self._package, PageCounter())
        lines = (aside.read(paragraph).plain_text for paragraph in holder.iter("{*}p", "{*}h"))
        return "\n".join(line for line in lines if line)

    def _frame(self, element: Any, inline: OdtInline, depth: int) -> None:
        title, described = element.find("{*}title"), element.find("{*}desc")
        words = [one_line(item.text or "") for item in (title, described) if item is not None]
        description = ". ".join(word for word in words if word)
        has_object = False
        for child in element:
            name = local_name(child)
            if name == "text-box" and depth < _DEPTH:
                self._box(child, inline, depth)
            elif name in ("object", "object-ole"):
                has_object = self._object(child, inline, description) or has_object
            elif name == "image" and not has_object:  # else it only stands for the object
                self._image(child, inline, description)

    def _box(self, element: Any, inline: OdtInline, depth: int) -> None:
        """Text boxes are also how pictures get captions."""
        inside = OdtInline(parts=inline.parts, notes=inline.notes, outside=inline.outside)
        for paragraph in element:
            self._children(paragraph, inside, depth + 1)
            inside.text.append("\n")
        if inside.plain_text:
            inline.boxes.append("\n".join(line for line in inside.plain_text.split("\n") if line.strip()))
        inline.boxes += inside.boxes

    def _image(self, element: Any, inline: OdtInline, description: str) -> None:
        self._pages.picture()
        target = _inside(attribute(element, "href"))
        if target and target in self._package:
            inline.parts.append(EmbeddedPart("image", target, description))
        elif address := attribute(element, "href"):
            inline.outside.append(address)

    def _object(self, element: Any, inline: OdtInline, description: str) -> bool:
        target = _inside(attribute(element, "href"))
        content = posixpath.join(target, "content.xml") if target else ""
        if content in self._package:
            kind = "chart" if b"office:chart" in self._package.head(content, 65536) else "diagram"
            inline.parts.append(EmbeddedPart(kind, content, description))
        elif target and target in self._package:
            inline.parts.append(EmbeddedPart("object", target, description))
            return False  # its picture is all that most people can see of it
        return bool(target)


def _inside(address: str) -> str:
    """The name of a part; empty for addresses outside the file."""
    if not address or ":" in address or address.startswith(("/", "#", "..")):
        return ""
    return posixpath.normpath(address)


def _count(element: Any) -> int:
    plain_text = attribute(element, "c")
    return min(int(plain_text), _SPACES) if plain_text.isdecimal() and len(plain_text) < 6 else 1
