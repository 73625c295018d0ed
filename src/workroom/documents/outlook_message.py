"""A message as Outlook stores it (MSG): a compound file of named properties, read as far as a person needs it."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.documents.spacing import one_line
from workroom.documents.text_files import decode

_TEXT, _OLD_TEXT, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_TIME = 0x0040
_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)
_MAX_STREAM = 64 << 20
_MAX_ATTACHMENTS = 1_000
_SUBMITTED, _DELIVERED, _CODE_PAGE, _INTERNET_PAGE = 0x0039, 0x0E06, 0x3FFD, 0x3FDE

Path = tuple[str, ...]


@dataclass(frozen=True)
class Attached:
    name: str
    media_type: str
    data: bytes
    message: OutlookMessage | None  # a mail inside this one is no file, but has everything a mail has


class OutlookMessage:
    def __init__(self, compound: Any, path: Path = ()) -> None:
        self._compound = compound
        self._path = path
        self._header = 32 if not path else 24  # bytes before the fixed properties; attachments have 8
        self._numbers = self._fixed()

    def headers(self) -> dict[str, str]:
        found = {
            "from": self._sender(),
            "to": self.text("0E04"),
            "cc": self.text("0E03"),
            "bcc": self.text("0E02"),
            "date": self._date(),
            "subject": self.text("0037"),
        }
        return {name: one_line(text, 4_000) for name, text in found.items() if text.strip()}

    @property
    def message_class(self) -> str:
        """`IPM.Note`, or with `.SMIME` behind it when it is encrypted."""
        return self.text("001A")

    def plain(self) -> str:
        return self.text("1000")

    def html(self) -> str:
        raw = self.binary("1013")
        return decode(raw, self._page(_INTERNET_PAGE)) if raw else self.text("1013")

    def rtf(self) -> bytes:
        return self.binary("1009")

    def text(self, tag: str) -> str:
        if raw := self._stream(f"{tag}{_TEXT}"):
            return raw.decode("utf-16-le", "replace").rstrip("\0")
        raw = self._stream(f"{tag}{_OLD_TEXT}")
        return decode(raw, self._page(_CODE_PAGE)).rstrip("\0") if raw else ""

    def binary(self, tag: str) -> bytes:
        return self._stream(f"{tag}{_BINARY}")

    def attachments(self) -> Iterator[Attached]:
        depth = len(self._path)
        names = {
            entry[depth]
            for entry in self._compound.listdir(streams=True, storages=True)
            if len(entry) > depth
            and tuple(entry[:depth]) == self._path
            and entry[depth].startswith("__attach_version1.0_#")
        }
        for number, name in enumerate(sorted(names)[:_MAX_ATTACHMENTS], start=1):
            yield self._attached((*self._path, name), number)

    def _attached(self, path: Path, number: int) -> Attached:
        part = OutlookMessage(self._compound, path)
        inner_path = (*path, f"__substg1.0_3701{_STORAGE}")
        inner = OutlookMessage(self._compound, inner_path) if self._compound.exists(list(inner_path)) else None
        is_message = inner is not None and self._compound.exists([*inner_path, "__properties_version1.0"])
        name = part.text("3707") or part.text("3704") or part.text("3001")
        return Attached(
            one_line(name, 255) or f"attachment-{number}",
            "application/vnd.ms-outlook" if is_message else one_line(part.text("370E"), 200),
            part.binary("3701"),
            inner if is_message else None,
        )

    def _sender(self) -> str:
        name = self.text("0C1A") or self.text("0042")
        addresses = (self.text(tag) for tag in ("5D01", "5D02", "0C1F", "0065"))
        address = next((found for found in addresses if "@" in found), "")
        return f"{name} <{address}>" if name and address and name != address else name or address

    def _date(self) -> str:
        for tag in (_SUBMITTED, _DELIVERED):
            if ticks := self._numbers.get((tag, _TIME)):
                try:
                    return (_EPOCH + datetime.timedelta(microseconds=ticks // 10)).isoformat(" ", "seconds")
                except OverflowError:
                    continue
        return ""

    def _page(self, tag: int) -> str | None:
        page = self._numbers.get((tag, 0x0003), 0) & 0xFFFFFFFF
        return None if not page else {65001: "utf-8", 28591: "latin-1"}.get(page, f"cp{page}")

    def _fixed(self) -> dict[tuple[int, int], int]:
        """Properties of a fixed size, 16 bytes each: type, tag, flags, value."""
        data = self._raw("__properties_version1.0")
        found: dict[tuple[int, int], int] = {}
        for start in range(self._header, len(data) - 15, 16):
            kind, tag, _, value = struct.unpack("<HHIQ", data[start : start + 16])
            found[tag, kind] = value
        return found

    def _stream(self, name: str) -> bytes:
        return self._raw(f"__substg1.0_{name}")

    def _raw(self, name: str) -> bytes:
        path = [*self._path, name]
        try:
            if not self._compound.exists(path) or self._compound.get_size(path) > _MAX_STREAM:
                return b""
            with self._compound.openstream(path) as stream:
                return bytes(stream.read())
        except Exception:  # a stream with a broken chain; the others may be whole
            return b""
