"""Title, author and dates, as an office file says them of itself."""

from __future__ import annotations

from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package
from workroom.documents.safe_xml import local_name
from workroom.documents.spacing import one_line

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


def _read(package: Package, part: str) -> dict[str, str]:
    try:
        root = package.tree(part)
    except DocumentError:
        return {}
    found: dict[str, str] = {}
    for element in [] if root is None else root.iter():
        name = _NAMES.get(local_name(element))
        if name and element.text and (text := one_line(element.text, _LIMIT)):
            found.setdefault(name, text)
    return found
