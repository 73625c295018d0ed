"""A DOCX or DOTX whose look a document takes: styles, page, headers and footers. It is a file like any other, and may be hostile:
nothing in it is carried out, and what other programs would fetch or run on opening is refused or left out.

Where it has a paragraph `{{content}}`, the content comes there and the rest of it stays, such as a cover; otherwise the content
takes the place of its text. `{{title}}` is the title, anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.documents.errors import DamagedDocument, UnsupportedDocument
from workroom.documents.writers.docx.xml import WORD, W
from workroom.documents.writers.package import OfficePackage

MOST_PARTS = 2_000
MOST_BYTES = 100_000_000
MAIN = f"{WORD}document.main+xml"
MAIN_KINDS = (MAIN, f"{WORD}template.main+xml")
CONTENT, TITLE = "{{content}}", "{{title}}"
# What a document without a template of its own has no need of: left out.
LEFT_OUT = ("attachedTemplate", "mailMergeSource", "mailMergeHeaderSource", "recipientData", "transform")
# What runs or loads something when the document is opened, and cannot be left out without damage.
REFUSED = ("oleObject", "package", "control", "vbaProject", "aFChunk", "frame", "subDocument", "wordVbaData")
FETCHING = frozenset(
    ["DDE", "DDEAUTO", "INCLUDETEXT", "INCLUDEPICTURE", "INCLUDE", "LINK", "DATABASE", "IMPORT", "EMBED"]
)
TEXTS = ("document", "header", "footer", "footnotes", "endnotes")


@dataclass(frozen=True)
class Place:
    """Where content comes: before the child of this index. `is_marked`: the template says where, and brings its own title."""

    parent: Any
    index: int
    is_marked: bool


def opened(data: bytes) -> OfficePackage:
    """Raises DamagedDocument, DocumentTooLarge, and UnsupportedDocument with what has to be taken out of it."""
    package = OfficePackage.opened(data, MOST_PARTS, MOST_BYTES, "Word")
    try:
        kind = package.content_type(package.document)
        is_there = package.document in package.parts
    except (StopIteration, KeyError):
        raise DamagedDocument("The template is no Word document. Choose a .docx or .dotx file.") from None
    if kind not in MAIN_KINDS or not is_there:
        raise UnsupportedDocument("The template is no Word document without macros. Save it as .docx, and choose that.")
    package.declare(package.document, MAIN)
    for part in ["", *package.parts]:
        _check_relations(package, part)
    package.keep_reachable()
    _clean_settings(package)
    for part in package.parts:
        if package.content_type(part).startswith(WORD):
            _check_fields(package.xml(part))
    return package


def place_of_content(root: Any) -> Place:
    """Where the content of that document comes; its text is removed, unless it says where."""
    body = root.find(f"{{{W}}}body")
    if body is None:
        raise DamagedDocument("The template has no body. Save it again with Word, and choose that.")
    for paragraph in body.iter(f"{{{W}}}p"):
        if _text(paragraph).strip() == CONTENT and paragraph.getparent().tag in (f"{{{W}}}body", f"{{{W}}}sdtContent"):
            parent, index = paragraph.getparent(), paragraph.getparent().index(paragraph)
            parent.remove(paragraph)
            return Place(parent, index, is_marked=True)
    for child in list(body):
        if child.tag != f"{{{W}}}sectPr":
            body.remove(child)
    return Place(body, 0, is_marked=False)


def fill_in(package: OfficePackage, title: str) -> None:
    """The title, wherever the template asks for it."""
    for part in _texts(package):
        root = package.xml(part)
        asking = [one for one in root.iter(f"{{{W}}}p") if TITLE in _text(one)]
        for paragraph in asking:
            first, *others = list(paragraph.iter(f"{{{W}}}t"))
            first.text = _text(paragraph).replace(TITLE, title)
            for other in others:
                other.text = ""
        if asking:
            package.put(part, root)


def _check_relations(package: OfficePackage, part: str) -> None:
    dropped = set()
    for relation in package.relations(part):
        if relation.name in LEFT_OUT:
            dropped.add(relation.id)
        elif relation.name in REFUSED or (relation.is_external and relation.name != "hyperlink"):
            what = "something linked or embedded" if relation.name != "vbaProject" else "macros"
            raise UnsupportedDocument(
                f"The template contains {what} ({relation.target[:100]}). Take it out, and try again."
            )
    if dropped:
        package.drop_relations(part, dropped)


def _clean_settings(package: OfficePackage) -> None:
    """Without what refers to relations that were left out."""
    if (part := package.related("settings")) and part in package.parts:
        root = package.xml(part)
        for name in ("attachedTemplate", "mailMerge", "documentProtection", "writeProtection"):
            for element in list(root.iter(f"{{{W}}}{name}")):
                element.getparent().remove(element)
        package.put(part, root)


def _texts(package: OfficePackage) -> Iterator[str]:
    yield package.document
    for relation in package.relations(package.document):
        part = package.target(package.document, relation)
        if relation.name in TEXTS and not relation.is_external and part in package.parts:
            yield part


def _check_fields(root: Any) -> None:
    for instruction in _instructions(root):
        name = instruction.split(maxsplit=1)[0].strip('"').upper() if instruction.strip() else ""
        if name in FETCHING:
            raise UnsupportedDocument(f"The template has a field {name}, which loads something. Take it out.")


def _instructions(root: Any) -> Iterator[str]:
    """Of all fields; one may be split over several elements, and contain others. Raises UnsupportedDocument for one whose name
    is computed by another."""
    opened: list[str] = []
    for element in root.iter(*(f"{{{W}}}{name}" for name in ("fldSimple", "fldChar", "instrText"))):
        match element.tag.rpartition("}")[2], element.get(f"{{{W}}}fldCharType"):
            case "fldSimple", _:
                yield element.get(f"{{{W}}}instr", "")
            case "instrText", _ if opened:
                opened[-1] += element.text or ""
            case "fldChar", "begin":
                if opened and not opened[-1].strip():
                    raise UnsupportedDocument(
                        "The template has a field whose name is computed by another. Take it out."
                    )
                opened.append("")
            case "fldChar", "end" if opened:
                yield opened.pop()
    yield from opened


def _text(paragraph: Any) -> str:
    return "".join(one.text or "" for one in paragraph.iter(f"{{{W}}}t"))
