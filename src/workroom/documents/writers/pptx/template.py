"""A PPTX or POTX whose look slides take: masters, layouts, theme. It is a file like any other, and may be hostile: only what
masters and layouts refer to is kept, so nothing of its slides stays in the file, and what other programs would fetch or run is
refused."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from workroom.documents.errors import DamagedDocument, DocumentError, UnsupportedDocument
from workroom.documents.writers.addresses import web_address
from workroom.documents.writers.package import CONTENT_TYPES, OfficePackage, PartRelation, R, relations_of

MOST_PARTS = 5_000
MOST_BYTES = 200_000_000
SLIDES = "application/vnd.openxmlformats-officedocument.presentationml."
MAIN = f"{SLIDES}presentation.main+xml"
MAIN_KINDS = (MAIN, f"{SLIDES}template.main+xml", f"{SLIDES}slideshow.main+xml")
# What a presentation refers to without a slide. Slides, comments, printers, tags and the like are left out.
KEPT = ("slideMaster", "notesMaster", "theme", "presProps", "viewProps", "tableStyles", "font")
REFUSED = (
    "oleObject",
    "package",
    "control",
    "activeXControlBinary",
    "vbaProject",
    "externalLink",
    "audio",
    "video",
    "media",
    "frame",
)
LEFT_OUT = ("slide", "comments", "tags", "customXml", "notesSlide", "printerSettings")
NAMED = (
    "sldIdLst",
    "handoutMasterIdLst",
    "custShowLst",
    "custDataLst",
    "photoAlbum",
    "modifyVerifier",
    "extLst",
    "smartTags",
)
ACTIONS = re.compile(r"^ppaction://(?:program|macro|ole|file|media)", re.IGNORECASE)
DAMAGED = "The template cannot be opened. Save it again with PowerPoint, and choose that."


def opened(data: bytes) -> Any:
    """A presentation without slides. Raises DamagedDocument, DocumentTooLarge, and UnsupportedDocument with what to take out."""
    from pptx import Presentation

    package = OfficePackage.opened(data, MOST_PARTS, MOST_BYTES, "PowerPoint")
    _check_kind(package)
    _clean_presentation(package)
    kept = set(_reachable(package))
    for name in [name for name in package.parts if name not in kept]:
        del package.parts[name]
    package.forget_missing()
    for part in [name for name in package.parts if name.endswith((".xml", ".rels"))]:
        package.xml(part)  # read as safely as any file, before python-pptx reads it
    try:
        presentation = Presentation(io.BytesIO(package.zipped()))
        has_layouts = len(presentation.slide_layouts) > 0
    except DocumentError:
        raise
    except Exception:  # it may be broken in any way
        raise DamagedDocument(DAMAGED) from None
    if not has_layouts:
        raise DamagedDocument("The template has no layouts. Choose another one.")
    return presentation


def _check_kind(package: OfficePackage) -> None:
    try:
        kind = package.content_type(package.document)
        is_there = package.document in package.parts
    except (StopIteration, KeyError):
        raise DamagedDocument("The template is no presentation. Choose a .pptx or .potx file.") from None
    if kind not in MAIN_KINDS or not is_there:
        raise UnsupportedDocument("The template is no presentation without macros. Save it as .pptx, and choose that.")
    package.declare(package.document, MAIN)


def _clean_presentation(package: OfficePackage) -> None:
    """The presentation itself, without what it says of its slides."""
    root = package.xml(package.document)
    for name in NAMED:
        for element in root.findall(f"{{*}}{name}"):
            root.remove(element)
    package.put(package.document, root)
    _check(package, package.document)
    dropped = {one.id for one in package.relations(package.document) if one.name not in KEPT}
    if dropped:
        package.drop_relations(package.document, dropped)
    beside = {one.id for one in package.relations("") if one.name != "officeDocument"}  # a picture of the first slide
    if beside:
        package.drop_relations("", beside)


def _reachable(package: OfficePackage) -> Iterator[str]:
    """Names of all parts that stay. What they refer to is checked on the way."""
    yield from (CONTENT_TYPES, "_rels/.rels")
    pending, seen = [package.document], {package.document}
    while pending:
        part = pending.pop()
        yield part
        if relations_of(part) not in package.parts:
            continue
        yield relations_of(part)
        if part != package.document:
            _check(package, part)
            _leave_out(package, part)
        for relation in package.relations(part):
            target = package.target(part, relation)
            if not relation.is_external and target in package.parts and target not in seen:
                seen.add(target)
                pending.append(target)


def _check(package: OfficePackage, part: str) -> None:
    for relation in package.relations(part):
        if relation.name in REFUSED:
            raise UnsupportedDocument(
                f"The template contains something linked or embedded ({relation.target[:100]}). Take it out of its"
                " masters and layouts, and try again."
            )
        if relation.is_external and not _is_harmless(relation):
            raise UnsupportedDocument(
                f"The template refers to something outside of it ({relation.target[:100]}). Take it out, and try again."
            )
    if part.endswith(".xml"):
        for element in package.xml(part).iter("{*}hlinkClick", "{*}hlinkHover", "{*}hlinkMouseOver"):
            if ACTIONS.match(element.get("action", "")):
                raise UnsupportedDocument("The template has a button that runs a program. Take it out, and try again.")


def _is_harmless(relation: PartRelation) -> bool:
    return relation.name == "hyperlink" and web_address(relation.target) is not None


def _leave_out(package: OfficePackage, part: str) -> None:
    """What leads back to slides, and the elements that name it."""
    dropped = {one.id for one in package.relations(part) if one.name in LEFT_OUT}
    if not dropped:
        return
    root = package.xml(part)
    for element in list(root.iter()):
        names_it = any(element.get(f"{{{R}}}{name}") in dropped for name in ("id", "embed", "link", "pict"))
        if names_it and (parent := element.getparent()) is not None:
            parent.remove(element)
    package.put(part, root)
    package.drop_relations(part, dropped)
