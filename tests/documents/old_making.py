"""Workbooks in the two binary formats of Excel, made in memory: numbers with formats, and nothing else."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tests.documents.making import package, relations
from workroom.documents.compound_writer import compound_file

XLS = "application/vnd.ms-excel"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
Cell = tuple[float, str | int]  # a number, and its format: its code, or the number of one that every workbook has


def xls(rows: Sequence[Sequence[Cell]], name: str = "Übersicht") -> bytes:
    codes = _codes(rows)
    begin = _record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0))
    formats = b"".join(
        _record(0x041E, struct.pack("<HHB", 164 + number, len(code), 1) + code.encode("utf-16-le"))
        for number, code in enumerate(code for code in codes if isinstance(code, str))
    )
    styles = b"".join(_record(0x00E0, struct.pack("<HH16x", 0, id_)) for id_ in _ids(codes))
    called = bytes([len(name), 1]) + name.encode("utf-16-le")
    at = len(begin) + len(formats) + len(styles) + 4 + 6 + len(called) + 4
    cells = b"".join(
        _record(0x0203, struct.pack("<HHHd", row, column, codes.index(code), value))
        for row, line in enumerate(rows)
        for column, (value, code) in enumerate(line)
    )
    book = begin + formats + styles + _record(0x0085, struct.pack("<IBB", at, 0, 0) + called) + _record(0x000A, b"")
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0)) + cells + _record(0x000A, b"")
    return compound_file({("Workbook",): book + sheet})


def xlsb(rows: Sequence[Sequence[Cell]], name: str = "Übersicht") -> bytes:
    codes = _codes(rows)
    own = [code for code in codes if isinstance(code, str)]
    styles = _binary(615, struct.pack("<I", len(own)))
    styles += b"".join(_binary(44, struct.pack("<H", 164 + number) + _text(code)) for number, code in enumerate(own))
    styles += _binary(616, b"") + _binary(47, struct.pack("<HH12x", 0, 9))  # a named style, which no cell means
    styles += _binary(617, struct.pack("<I", len(codes)))
    styles += b"".join(_binary(47, struct.pack("<HH12x", 0, id_)) for id_ in _ids(codes)) + _binary(618, b"")
    cells = _binary(148, struct.pack("<IIII", 0, len(rows) - 1, 0, max(map(len, rows)) - 1)) + _binary(145, b"")
    for row, line in enumerate(rows):
        cells += _binary(0, struct.pack("<II9x", row, 0))
        cells += b"".join(
            _binary(5, struct.pack("<IId", column, codes.index(code), value))
            for column, (value, code) in enumerate(line)
        )
    sheet = _binary(129, b"") + cells + _binary(146, b"") + _binary(130, b"")
    listed = _binary(143, b"") + _binary(156, struct.pack("<II", 0, 1) + _text("r1") + _text(name)) + _binary(144, b"")
    return package(
        {
            "_rels/.rels": relations(r1=("officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": _binary(131, b"") + listed + _binary(132, b""),
            "xl/_rels/workbook.bin.rels": relations(
                r1=("worksheet", "worksheets/sheet1.bin"), r2=("styles", "styles.bin")
            ),
            "xl/styles.bin": styles,
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def _codes(rows: Sequence[Sequence[Cell]]) -> list[str | int]:
    return list(dict.fromkeys(code for line in rows for _, code in line))


def _ids(codes: Sequence[str | int]) -> list[int]:
    own = [code for code in codes if isinstance(code, str)]
    return [164 + own.index(code) if isinstance(code, str) else code for code in codes]


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _binary(kind: int, data: bytes) -> bytes:
    said = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = len(data), b""
    while size > 127:
        length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
    return said + length + bytes([size]) + data


def _text(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")
