"""The package that a document without a template begins with: styles, page and footer of ours."""

from __future__ import annotations

from importlib import resources
from typing import Any

from lxml import etree

from workroom.documents.safe_xml import parse_xml
from workroom.documents.writers.docx.xml import WORD, W, w
from workroom.documents.writers.package import CONTENT_TYPES, RELATIONS, TYPES, OfficePackage, R, serialised
from workroom.documents.writers.words import LOCALES

PROPERTIES = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
CORE = "docProps/core.xml"
# Without prefixes: not every program reads these parts with one.
DEFAULT_TYPES: Any = {None: TYPES}
KINDS = {
    "word/document.xml": f"{WORD}document.main+xml",
    "word/styles.xml": f"{WORD}styles+xml",
    "word/footer.xml": f"{WORD}footer+xml",
}


def base_package(language: str) -> OfficePackage:
    package = OfficePackage({CONTENT_TYPES: _types(), "word/footer.xml": _file("footer.xml")})
    package.relate("", "officeDocument", "word/document.xml", id_="document")
    package.put("word/styles.xml", _styles(language))
    for name, kind in KINDS.items():
        package.declare(name, kind)
    package.relate("word/document.xml", "styles", "styles.xml", id_="styles")
    package.relate("word/document.xml", "footer", "footer.xml", id_="footer")
    package.put("word/document.xml", w("document", w("body", _page())))
    return package


def our_styles() -> Any:
    return parse_xml(_file("styles.xml"), "styles.xml")


def put_properties(package: OfficePackage, title: str, language: str) -> None:
    """Title and language of the document, instead of what a template says of itself."""
    root = etree.Element(f"{{{PROPERTIES}}}coreProperties", nsmap={"cp": PROPERTIES, "dc": DUBLIN_CORE})
    for name, value in (("title", title), ("language", LOCALES.get(language, "en-GB"))):
        etree.SubElement(root, f"{{{DUBLIN_CORE}}}{name}").text = value
    known = next((relation for relation in package.relations("") if relation.name == "core-properties"), None)
    if known is None:
        _relate_properties(package)
    part = known.target.lstrip("/") if known else CORE
    package.put(part, root, "application/vnd.openxmlformats-package.core-properties+xml")


def _relate_properties(package: OfficePackage) -> None:
    name = "_rels/.rels"
    root = package.xml(name)
    kind = f"{RELATIONS}/metadata/core-properties"
    etree.SubElement(root, f"{{{RELATIONS}}}Relationship", {"Id": "core", "Type": kind, "Target": CORE})
    package.parts[name] = serialised(root)


def _types() -> bytes:
    root = etree.Element(f"{{{TYPES}}}Types", nsmap=DEFAULT_TYPES)
    for extension, kind in (
        ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
        ("xml", "application/xml"),
    ):
        etree.SubElement(root, f"{{{TYPES}}}Default", Extension=extension, ContentType=kind)
    return serialised(root)


def _styles(language: str) -> Any:
    root = our_styles()
    next(root.iter(f"{{{W}}}lang")).set(f"{{{W}}}val", LOCALES.get(language, "en-GB"))
    return root


def _page() -> Any:
    """A4, with the number of the page at its foot."""
    footer = w("footerReference", type="default")
    footer.set(f"{{{R}}}id", "footer")
    return w(
        "sectPr",
        footer,
        w("pgSz", w=11_906, h=16_838),
        w("pgMar", top=1_276, right=1_276, bottom=1_276, left=1_276, header=567, footer=567, gutter=0),
        w("titlePg"),
    )


def _file(name: str) -> bytes:
    return (resources.files(__package__) / name).read_bytes()
