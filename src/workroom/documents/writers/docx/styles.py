"""Styles by what they are for: those of a template where it has them, ours for the rest."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from workroom.documents.writers.docx.base import our_styles
from workroom.documents.writers.docx.xml import WORD, W, w
from workroom.documents.writers.package import OfficePackage

NAMED = ("basedOn", "next", "link")


class Styles:
    """Ids of styles in the file, by our own ids. Word knows built-in styles by their English names in every language, and by
    ids that depend on it."""

    def __init__(self, package: OfficePackage) -> None:
        part = package.related("styles")
        if part is None:
            part = "word/styles.xml"
            package.relate(package.document, "styles", "/word/styles.xml", id_="workroomStyles")
            package.put(part, w("styles"), f"{WORD}styles+xml")
        root = package.xml(part)
        known = {_name(style).casefold(): _id(style) for style in root.iter(f"{{{W}}}style")}
        taken = set(known.values())
        ours = list(our_styles().iter(f"{{{W}}}style"))
        self._ids = {_id(style): known.get(_name(style).casefold()) or _free(_id(style), taken) for style in ours}
        for style in ours:
            if _name(style).casefold() not in known:
                root.append(self._added(style))
        package.put(part, root)

    def id(self, ours: str) -> str:
        return self._ids[ours]

    def _added(self, style: Any) -> Any:
        added = deepcopy(style)
        added.set(f"{{{W}}}styleId", self._ids[_id(style)])
        added.attrib.pop(f"{{{W}}}default", None)  # a template has defaults of its own
        for reference in (child for name in NAMED for child in added.iter(f"{{{W}}}{name}")):
            reference.set(f"{{{W}}}val", self._ids[reference.get(f"{{{W}}}val")])
        return added


def _id(style: Any) -> str:
    return str(style.get(f"{{{W}}}styleId", ""))


def _name(style: Any) -> str:
    name = style.find(f"{{{W}}}name")
    return str(name.get(f"{{{W}}}val", "")) if name is not None else ""


def _free(id_: str, taken: set[str]) -> str:
    return next(name for name in (id_, *(f"{id_}{number}" for number in range(2, 1_000))) if name not in taken)
