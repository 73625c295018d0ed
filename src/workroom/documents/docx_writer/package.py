"""The parts of a DOCX file, zipped: the same report makes the same bytes."""

from __future__ import annotations

import io
import zipfile
from importlib import resources
from typing import Any

from lxml import etree

from workroom.documents.docx_writer.body import Body
from workroom.documents.docx_writer.xml import R, W, serialised
from workroom.documents.markdown_blocks import printable
from workroom.documents.report import Report
from workroom.documents.safe_xml import parse_xml

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
PROPERTIES = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
LOCALES = {"de": "de-CH", "en": "en-GB", "fr": "fr-CH", "pt": "pt-BR", "zh": "zh-CN"}
# Without prefixes: not every program reads these parts with one.
DEFAULT_TYPES: Any = {None: TYPES}
DEFAULT_RELATIONS: Any = {None: RELATIONS}
MADE_AT = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP file can say


def docx_of(report: Report) -> bytes:
    body = Body()
    document = serialised(body.document(report))
    parts = {
        "[Content_Types].xml": _types(),
        "_rels/.rels": _relations(
            [
                ("document", f"{R}/officeDocument", "word/document.xml"),
                ("core", f"{RELATIONS}/metadata/core-properties", "docProps/core.xml"),
            ]
        ),
        "docProps/core.xml": _properties(report),
        "word/document.xml": document,
        "word/styles.xml": _styles(report.language),
        "word/numbering.xml": serialised(body.lists.part()),
        "word/footer.xml": _file("footer.xml"),
        "word/_rels/document.xml.rels": _relations(
            [(name, f"{R}/{name}", f"{name}.xml") for name in ("styles", "numbering", "footer")],
            links=list(body.links.items()),
        ),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, MADE_AT), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _types() -> bytes:
    root = etree.Element(f"{{{TYPES}}}Types", nsmap=DEFAULT_TYPES)
    for extension, kind in (
        ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
        ("xml", "application/xml"),
    ):
        etree.SubElement(root, f"{{{TYPES}}}Default", Extension=extension, ContentType=kind)
    kinds = {
        "/word/document.xml": f"{WORD}document.main+xml",
        "/word/styles.xml": f"{WORD}styles+xml",
        "/word/numbering.xml": f"{WORD}numbering+xml",
        "/word/footer.xml": f"{WORD}footer+xml",
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    }
    for name, kind in kinds.items():
        etree.SubElement(root, f"{{{TYPES}}}Override", PartName=name, ContentType=kind)
    return serialised(root)


def _relations(inside: list[tuple[str, str, str]], links: list[tuple[str, str]] | None = None) -> bytes:
    root = etree.Element(f"{{{RELATIONS}}}Relationships", nsmap=DEFAULT_RELATIONS)
    for id_, kind, target in inside:
        etree.SubElement(root, f"{{{RELATIONS}}}Relationship", Id=id_, Type=kind, Target=target)
    for id_, address in links or []:
        etree.SubElement(
            root, f"{{{RELATIONS}}}Relationship", Id=id_, Type=f"{R}/hyperlink", Target=address, TargetMode="External"
        )
    return serialised(root)


def _properties(report: Report) -> bytes:
    root = etree.Element(f"{{{PROPERTIES}}}coreProperties", nsmap={"cp": PROPERTIES, "dc": DUBLIN_CORE})
    for name, value in (("title", printable(report.title)), ("language", LOCALES.get(report.language, "en-GB"))):
        etree.SubElement(root, f"{{{DUBLIN_CORE}}}{name}").text = value
    return serialised(root)


def _styles(language: str) -> bytes:
    root: Any = parse_xml(_file("styles.xml"), "styles.xml")
    tag = next(root.iter(f"{{{W}}}lang"))
    tag.set(f"{{{W}}}val", LOCALES.get(language, "en-GB"))
    return serialised(root)


def _file(name: str) -> bytes:
    return (resources.files(__package__) / name).read_bytes()
