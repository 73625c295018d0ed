"""Streams large XML parts of an office file element by element, with a limit on their unpacked size."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from workroom.documents.bounded import BoundedFile, ReadTooLarge
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.office.package import Package
from workroom.documents.safe_xml import walk_xml

MAX_XML = 512 << 20  # bytes of text and its markup, unpacked
_AT_ONCE = 1 << 20


def stream_xml(package: Package, part: str, *names: str) -> Iterator[Any]:
    """Elements with these names, in any namespace, each when it is complete. The caller forgets what it is done with."""
    name = package.source.name
    try:
        with package.open(part) as stream:
            capped: Any = BoundedFile(stream, at_once=_AT_ONCE, in_all=MAX_XML)
            for _, element in walk_xml(capped, name, *(f"{{*}}{tag}" for tag in names)):
                yield element
    except ReadTooLarge:
        raise DocumentTooLarge(
            f"{name} unpacks to more than {MAX_XML >> 20} MB of text. It may be made to fill memory; otherwise split it."
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise DamagedDocument(f"{name} is damaged ({error}). Send it again, or save it anew where it opens.") from None
