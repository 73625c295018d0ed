"""How far a sheet of an XLSX file reaches, found without laying it out: one stray cell can claim 17 billion others."""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import dataclass

from workroom.documents.office.columns import column_number
from workroom.documents.office.package import Package

MAX_XML = 2 << 30  # bytes of one sheet, unpacked
_CHUNK = 1 << 20
_LONGEST_TAG = 4096
# The address of a cell that is more than a format: its element has content. Rows have plain numbers, ranges say `ref`.
_CELL = re.compile(rb' r="([A-Z]{1,3})(\d{1,7})"[^<>]*(?<!/)>')


@dataclass(frozen=True)
class Extent:
    columns: list[int]  # the used ones, from 0, in order
    first_row: int
    last_row: int
    cells: int

    @property
    def area(self) -> int:
        """What a table from its first to its last cell would hold."""
        if not self.columns:
            return 0
        return (self.last_row - self.first_row + 1) * (self.columns[-1] - self.columns[0] + 1)


def extent_of(package: Package, part: str) -> Extent | None:
    """None when it cannot be known: cells without addresses, damage, or too much XML."""
    columns: set[bytes] = set()
    first, last, cells, read = 1 << 30, 0, 0, 0
    rest = b""
    try:
        with package.open(part) as stream:
            while chunk := stream.read(_CHUNK):
                read += len(chunk)
                if read > MAX_XML:
                    return None
                text = rest + chunk
                addresses = _CELL.findall(text)
                if addresses:
                    columns.update({column for column, _ in addresses})
                    rows = [int(row) for row in {row for _, row in addresses}]
                    first, last, cells = min(first, *rows), max(last, *rows), cells + len(addresses)
                cut = text.rfind(b"<")
                rest = text[cut:] if cut >= 0 and len(text) - cut < _LONGEST_TAG else b""
                rest = b"" if _CELL.search(rest) else rest
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        return None
    return Extent(sorted(column_number(letters.decode()) for letters in columns), first, last, cells) if cells else None
