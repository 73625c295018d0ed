"""Title, author and dates, as an office file says them of itself."""

from __future__ import annotations

from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package
from workroom.documents.whitespace import one_line

_NAMES = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "initial-creator": "author",
    "keywords": "keywords",
    "keyword": "keywords",
    "description": "description",
    "lastModifiedBy": "lastModifiedBy",
    "created": "created",
    "creation-date": "created",
    "modified": "modified",
    "date": "modified",
    "category": "category",
    "language": "language",
}
_LIMIT = 500


def properties_of(package: Package) -> dict[str, str]:
    part = next(iter(package.related("", "core-properties")), "docProps/core.xml")
    return _read(package, part)


def open_document_properties(package: Package) -> dict[str, str]:
    return _read(package, "meta.xml")


def pages_of(package: Package) -> int | None:
    """As the program counted that wrote the file; others that changed it since may have left the number as it was."""
    part = next(iter(package.related("", "extended-properties")), "docProps/app.xml")
    root = _tree(package, part)
    return _number(None if root is None else root.findtext("{*}Pages"))


def open_document_pages(package: Package) -> int | None:
    root = _tree(package, "meta.xml")
    statistics = None if root is None else next(root.iter("{*}document-statistic"), None)
    counts = [] if statistics is None else [v for key, v in statistics.attrib.items() if key.endswith("}page-count")]
    return _number(next(iter(counts), None))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 7 and int(text) > 0 else None


def _tree(package: Package, part: str) -> Any:
    try:
        return package.tree(part)
    except DocumentError:
        return None


def _read(package: Package, part: str) -> dict[str, str]:
    root = _tree(package, part)
    properties: dict[str, str] = {}
    for element in [] if root is None else root.iter():
        name = _NAMES.get(local_name(element))
        if name and element.text and (text := one_line(element.text, _LIMIT)):
            properties.setdefault(name, text)
    return properties
