"""A place in a document as a value: pages 3-5 and 9 of report.pdf, a sheet, a section, a whole file.

It is stored and sent in this form and put into words where it is read: in English for models by `label`, for people in their
language by `models/embedded/places.py` and on the page by `chat/attach/placeWords.ts`. Places are never parsed back from words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import computed_field, model_validator

from workroom.core.wire import Wire

PlaceKind = Literal["file", "page", "slide", "sheet", "section", "title", "named"]
LONGEST_LABEL = 500  # characters


class DocumentPlace(Wire):
    """A document, or a part of it. `path` is the document: its name, or its path through archives and folders. The kind says
    what of it is meant:

    file     all of it
    page     the pages `numbers`, as people count; `title` is the chapter they belong to, if known
    slide    the slides `numbers`, likewise
    sheet    `sheet` of a workbook
    section  the section with the id `section`, and its `title`
    title    what stands under the heading `title`, or the mail with that subject
    named    no document; `title` alone says what it is

    `piece` of `pieces`: only that part of it. `recognised`: its text was recognised in a picture."""

    kind: PlaceKind = "file"
    path: str = ""
    numbers: tuple[int, ...] = ()
    sheet: str | None = None
    section: str | None = None
    title: str | None = None
    piece: int | None = None
    pieces: int | None = None
    recognised: bool = False

    @property
    def label(self) -> str:
        """In English, as models read it: `pages 3-5, 9 of report.pdf`."""
        text = " of ".join(filter(None, [self._piece, self._part, self.path]))
        return f"{text} (recognised from a picture)" if self.recognised else text

    @property
    def public(self) -> DocumentPlace:
        """Without words of the document, for people who may not read it: no titles, no names of sheets. Numbers tell nothing."""
        if self.kind in ("page", "slide"):
            return self.model_copy(update={"title": None})
        if self.kind in ("sheet", "title") or (self.kind == "section" and self.title):
            return DocumentPlace(path=self.path or "…", recognised=self.recognised)
        return self

    def within(self, path: str) -> DocumentPlace:
        """The same place in the document at `path`."""
        return self.model_copy(update={"path": path})

    @property
    def _part(self) -> str:
        quoted = f"“{self.title}”" if self.title else ""
        match self.kind:
            case "page" | "slide":
                return ", ".join(filter(None, [quoted, numbered(self.kind, self.numbers)]))
            case "sheet":
                return f"sheet {self.sheet}"
            case "section":
                return " ".join(filter(None, ["section", self.section, quoted]))
            case "title":
                return quoted
            case "named":
                return self.title or ""
            case _:
                return ""

    @property
    def _piece(self) -> str:
        return f"part {self.piece} of {self.pieces}" if self.piece is not None else ""


class HasPlace(Wire):
    """Base of values that have a place in a document. On the wire they also say it in English, as `label`: for programs, and for
    people who look into the database; nothing here reads it. A value given with a label alone, such as a plugin's source, is
    known by that name."""

    place: DocumentPlace

    @computed_field  # type: ignore[prop-decorator]
    @property
    def label(self) -> str:
        return self.place.label[:LONGEST_LABEL]

    @model_validator(mode="before")
    @classmethod
    def _without_label(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "label" not in given:
            return given
        rest = {name: value for name, value in given.items() if name != "label"}
        return rest if "place" in rest else {**rest, "place": {"kind": "named", "title": given["label"]}}


def file_place(path: str, *, recognised: bool = False) -> DocumentPlace:
    return DocumentPlace(path=path, recognised=recognised)


def numbered_place(kind: Literal["page", "slide"], numbers: Sequence[int], path: str = "") -> DocumentPlace:
    """Pages or slides, counted from 1."""
    return DocumentPlace(kind=kind, numbers=tuple(sorted(set(numbers))), path=path)


def sheet_place(name: str, path: str = "") -> DocumentPlace:
    return DocumentPlace(kind="sheet", sheet=name, path=path)


def section_place(id_: str, title: str = "", path: str = "") -> DocumentPlace:
    return DocumentPlace(kind="section", section=id_, title=title[:LONGEST_LABEL] or None, path=path)


def titled_place(title: str, path: str = "") -> DocumentPlace:
    return DocumentPlace(kind="title", title=title[:LONGEST_LABEL], path=path)


def named_place(name: str) -> DocumentPlace:
    return DocumentPlace(kind="named", title=name[:LONGEST_LABEL])


def numbered(kind: Literal["page", "slide"], numbers: Sequence[int]) -> str:
    """`pages 3-5, 9`."""
    return f"{kind}{'s' if len(numbers) > 1 else ''} {number_ranges(numbers)}"


def number_ranges(numbers: Sequence[int]) -> str:
    """`3-5, 9`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
