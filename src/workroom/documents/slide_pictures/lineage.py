"""What a slide inherits: from its layout, that from its master, and that from a theme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.office.package import Package
from workroom.documents.slide_pictures.colours import Palette
from workroom.documents.slide_pictures.places import said

_LIKE_BODY = frozenset({"subTitle", "obj", "chart", "tbl", "clipArt", "dgm", "media", "pic", "sldImg", ""})


class Lineage:
    """`levels` are the parts a slide is made of with their roots: the slide first, then its layout, then its master."""

    def __init__(self, package: Package, slide: str, presentation: Any) -> None:
        self.package = package
        self.presentation = presentation
        layout = next(iter(package.related(slide, "slideLayout")), "")
        master = next(iter(package.related(layout, "slideMaster")), "") if layout else ""
        self.levels = [(part, root) for part in (slide, layout, master) if (root := _tree(package, part)) is not None]
        if not self.levels or self.levels[0][0] != slide:
            raise DamagedDocument("This slide is damaged and cannot be drawn. Save the presentation again.")
        last, root = self.levels[-1]
        theme = next(iter(package.related(last, "theme")), "")
        self.theme = _tree(package, theme)
        self.palette = Palette(self.theme, self._names(root))

    def drawn(self) -> Iterator[tuple[str, Any]]:
        """Trees of shapes from the bottom of the stack to its top: master, layout, slide."""
        shown = []
        for part, root in self.levels:
            if (tree := root.find("{*}cSld/{*}spTree")) is not None:
                shown.append((part, tree))
            if root.get("showMasterSp") in ("0", "false"):
                break
        yield from reversed(shown)

    def backgrounds(self) -> Iterator[tuple[str, Any]]:
        for part, root in self.levels:
            if (found := root.find("{*}cSld/{*}bg")) is not None:
                yield part, found

    def ancestors(self, shape: Any) -> list[Any]:
        """The placeholders in layout and master that a placeholder of the slide fills."""
        wanted = placeholder(shape)
        if wanted is None:
            return []
        found: list[Any] = []
        for _, root in self.levels[1:]:
            candidates = [(each, placeholder(each)) for each in root.iterfind("{*}cSld/{*}spTree/*")]
            match = _best(wanted, [(each, known) for each, known in candidates if known is not None])
            if match is not None:
                found.append(match)
                wanted = placeholder(match) or wanted
        return found

    def text_style(self, shape: Any, level: int) -> Iterator[Any]:
        """What master and presentation say of paragraphs of this level (from 1), the nearest first."""
        known = placeholder(shape)
        kind = (
            "otherStyle" if known is None else {"title": "titleStyle", "body": "bodyStyle"}.get(known[0], "otherStyle")
        )
        master = self.levels[-1][1]
        if known is not None:
            yield master.find(f"{{*}}txStyles/{{*}}{kind}/{{*}}lvl{level}pPr")
        if self.presentation is not None:
            yield self.presentation.find(f"{{*}}defaultTextStyle/{{*}}lvl{level}pPr")
        if known is None:
            yield master.find(f"{{*}}txStyles/{{*}}otherStyle/{{*}}lvl{level}pPr")

    def font(self, name: str) -> str:
        """`+mj-lt` is the theme's own for headings, `+mn-lt` that for text."""
        if not name.startswith("+"):
            return name
        kind = "majorFont" if name.startswith("+mj") else "minorFont"
        latin = None if self.theme is None else self.theme.find(f".//{{*}}fontScheme/{{*}}{kind}/{{*}}latin")
        return "" if latin is None else latin.get("typeface", "")

    def _names(self, master: Any) -> dict[str, str]:
        names: dict[str, str] = {}
        for element in [
            master.find("{*}clrMap"),
            *(root.find("{*}clrMapOvr/{*}overrideClrMapping") for _, root in reversed(self.levels)),
        ]:
            names |= {} if element is None else dict(element.attrib)
        return names


def placeholder(shape: Any) -> tuple[str, str] | None:
    """Kind and index; kinds that masters do not tell apart are one."""
    found = shape.find("./*/{*}nvPr/{*}ph")
    if found is None:
        return None
    kind = found.get("type", "")
    return "title" if kind == "ctrTitle" else "body" if kind in _LIKE_BODY else kind, found.get("idx", "0")


def is_hidden(shape: Any) -> bool:
    return said(shape.find("./*/{*}cNvPr"), "hidden")


def _best(wanted: tuple[str, str], candidates: list[tuple[Any, tuple[str, str]]]) -> Any:
    by_index = [each for each, known in candidates if known[1] == wanted[1] and wanted[1] != "0"]
    by_both = [each for each, known in candidates if known == wanted]
    by_kind = [each for each, known in candidates if known[0] == wanted[0]]
    return next(iter([*by_both, *by_index, *by_kind]), None)


def _tree(package: Package, part: str) -> Any:
    try:
        root = package.tree(part) if part else None
    except DocumentError:
        return None
    return root if root is not None and local_name(root) else None
