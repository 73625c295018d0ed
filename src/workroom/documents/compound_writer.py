"""Compound files (OLE), written: a message that lies in another one is taken out as the file Outlook would have saved.

Reading them is olefile's; it does not write. Version 3 of the format (MS-CFB): sectors of 512 bytes, small streams together
in one stream of their own, names in a balanced tree for each storage.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

_SECTOR, _SMALL_SECTOR, _SMALL = 512, 64, 4096
_FREE, _END, _TABLE, _TABLE_OF_TABLES = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_NUMBERS = _SECTOR // 4  # that fit into one sector
_IN_HEADER = 109  # sectors of the table that the header itself names
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_RED, _BLACK = 0, 1
_LONGEST_NAME = 62  # bytes, without the zero at its end

Path = tuple[str, ...]


def compound_file(streams: Mapping[Path, bytes], class_id: bytes = bytes(16)) -> bytes:
    """Storages are made of the paths. `class_id` says which program the file belongs to."""
    root = _DirectoryEntry("Root Entry", _ROOT, class_id=class_id)
    for path, data in streams.items():
        root.put(path, data)
    entries = [root]
    _number(root, entries)
    large, small = _Sectors(_SECTOR), _Sectors(_SMALL_SECTOR)
    for entry in entries:
        if entry.kind == _STREAM:
            entry.size = len(entry.data)
            entry.start = (small if entry.size < _SMALL else large).add(entry.data)
    root.size = len(small.data)
    root.start = large.add(bytes(small.data))
    first_small = large.add(_packed(small.chain, _NUMBERS))
    directory = b"".join(entry.record() for entry in entries)
    first_entry = large.add(directory + _NOTHING * (-len(entries) % (_SECTOR // len(_NOTHING))))
    return _assembled(large, first_entry, first_small, -(-len(small.chain) // _NUMBERS))


@dataclass
class _DirectoryEntry:
    name: str
    kind: int
    data: bytes = b""
    class_id: bytes = bytes(16)
    inside: dict[str, _DirectoryEntry] = field(default_factory=dict)
    number: int = 0
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE
    colour: int = _BLACK
    start: int = 0
    size: int = 0

    def put(self, path: Path, data: bytes) -> None:
        holder = self
        for name in path[:-1]:
            holder = holder.inside.setdefault(name, _DirectoryEntry(name, _STORAGE))
        holder.inside.setdefault(path[-1], _DirectoryEntry(path[-1], _STREAM, data))

    def record(self) -> bytes:
        raw = _raw(self.name) + b"\0\0"
        return struct.pack(
            "<64sHBBIII16sI8s8sIQ",
            raw,
            len(raw),
            self.kind,
            self.colour,
            self.left,
            self.right,
            self.child,
            self.class_id,
            0,
            bytes(8),
            bytes(8),
            self.start,
            self.size,
        )


_NOTHING = struct.pack("<64sHBBIII16sI8s8sIQ", b"", 0, 0, 0, _FREE, _FREE, _FREE, bytes(16), 0, b"", b"", 0, 0)


class _Sectors:
    """One run of sectors, and for each where its stream goes on."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.data = bytearray()
        self.chain: list[int] = []

    def add(self, data: bytes) -> int:
        """Where it begins."""
        if not data:
            return _END
        first, count = len(self.chain), -(-len(data) // self._size)
        self.data += data.ljust(count * self._size, b"\0")
        self.chain += [*range(first + 1, first + count), _END]
        return first


def _raw(name: str) -> bytes:
    return name.encode("utf-16-le", "replace")[:_LONGEST_NAME]


def _number(storage: _DirectoryEntry, entries: list[_DirectoryEntry]) -> None:
    """Everything below it gets its number, and a place in the tree of its storage: the shorter name first."""
    inside = sorted(storage.inside.values(), key=lambda entry: (len(_raw(entry.name)), entry.name.upper()))
    for entry in inside:
        entry.number = len(entries)
        entries.append(entry)
    storage.child = _tree(inside, 0, len(inside).bit_length() - 1)
    for entry in inside:
        if entry.kind == _STORAGE:
            _number(entry, entries)


def _tree(entries: list[_DirectoryEntry], depth: int, deepest: int) -> int:
    """Balanced by halves: with its last row red and all others black, it keeps the rules of a red-black tree."""
    if not entries:
        return _FREE
    middle = len(entries) // 2
    entry = entries[middle]
    entry.colour = _RED if depth == deepest and depth else _BLACK
    entry.left = _tree(entries[:middle], depth + 1, deepest)
    entry.right = _tree(entries[middle + 1 :], depth + 1, deepest)
    return entry.number


def _assembled(large: _Sectors, first_entry: int, first_small: int, small_tables: int) -> bytes:
    """Header, sectors, the table that chains them, and where the header has no room for it, the table of that table."""
    used = len(large.chain)
    tables = tables_of = 0
    while (needed := -(-(used + tables + tables_of) // _NUMBERS)) != tables:
        tables, tables_of = needed, max(0, -(-(needed - _IN_HEADER) // (_NUMBERS - 1)))
    at = list(range(used, used + tables))
    more = list(range(used + tables, used + tables + tables_of))
    chain = [*large.chain, *[_TABLE] * tables, *[_TABLE_OF_TABLES] * tables_of]
    beyond = b""
    for place in range(tables_of):
        named = at[_IN_HEADER + place * (_NUMBERS - 1) :][: _NUMBERS - 1]
        following = more[place + 1] if place + 1 < tables_of else _END
        beyond += _packed([*named, *[_FREE] * (_NUMBERS - 1 - len(named)), following], _NUMBERS)
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0, tables, first_entry, 0,
        _SMALL, first_small, small_tables, more[0] if more else _END, tables_of,
    )  # fmt: skip
    return header + _packed(at[:_IN_HEADER], _IN_HEADER) + bytes(large.data) + _packed(chain, _NUMBERS) + beyond


def _packed(numbers: list[int], multiple: int) -> bytes:
    """In whole sectors; what is left of the last one is free. An empty list is no sector, but for the header."""
    count = multiple * max(-(-len(numbers) // multiple), multiple == _IN_HEADER)
    return struct.pack(f"<{count}I", *numbers, *[_FREE] * (count - len(numbers)))
