"""A message as Outlook stores it (MSG): a compound file of named properties, read as far as a person needs it.

What is attached is named and measured first; its bytes are read on demand. A message inside a message is no
file, but becomes one when it is taken out.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from workroom.documents.compound_writer import compound_file
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.text_files import decode
from workroom.documents.whitespace import one_line

_TEXT, _OLD_TEXT, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_TIME = 0x0040
_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)
MAX_STREAM = 64 << 20
MAX_ATTACHMENTS = 1_000
_CLASS = bytes.fromhex("0b0d020000000000c000000000000046")  # of messages, among the programs of Windows
_PROPERTIES, _NAMES = "__properties_version1.0", "__nameid_version1.0"
_SUBMITTED, _DELIVERED, _CODE_PAGE, _INTERNET_PAGE = 0x0039, 0x0E06, 0x3FFD, 0x3FDE

Path = tuple[str, ...]


@contextmanager
def opened_message(path: FilePath, name: str) -> Iterator[tuple[Any, OutlookMessage]]:
    """The compound file and the message in it. Raises DamagedDocument."""
    import olefile

    try:
        compound = olefile.OleFileIO(str(path))
    except Exception as error:  # it reads hostile bytes in plain Python and fails in many ways
        raise DamagedDocument(
            f"{name} is damaged or no Outlook message ({str(error)[:100]}). Save it again from Outlook."
        ) from None
    try:
        if not compound.exists(_PROPERTIES):
            raise DamagedDocument(f"{name} is no Outlook message. Send it under its own name.")
        yield compound, OutlookMessage(compound)
    finally:
        compound.close()


@dataclass(frozen=True)
class OutlookAttachment:
    """`size` is None if it is known only after extraction (a message), or where there is nothing to take out: an
    attachment may be no more than the address of a file elsewhere, or belong to another program."""

    name: str
    media_type: str
    size: int | None
    message: OutlookMessage | None  # a mail inside this one is no file, but has everything a mail has
    read: Callable[[], bytes]

    @property
    def is_file(self) -> bool:
        return self.size is not None or self.message is not None


class OutlookMessage:
    def __init__(self, compound: Any, path: Path = ()) -> None:
        self._compound = compound
        self._path = path
        self._header = 32 if not path else 24  # bytes before the fixed properties; attachments have 8
        self._numbers = self._fixed()

    def headers(self) -> dict[str, str]:
        headers = {
            "from": self._sender(),
            "to": self.text("0E04"),
            "cc": self.text("0E03"),
            "bcc": self.text("0E02"),
            "date": self._date(),
            "subject": self.text("0037"),
        }
        return {name: one_line(text, 4_000) for name, text in headers.items() if text.strip()}

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

    def as_file(self) -> bytes:
        """With a header as long as that of a message by itself, and the names of properties, which are kept once for all."""
        depth, size = len(self._path), 0
        streams: dict[Path, bytes] = {}
        for entry in self._compound.listdir(streams=True, storages=False):
            inside = tuple(entry[:depth]) == self._path
            if inside or (depth and entry[0] == _NAMES):
                size += self._compound.get_size(entry)
                if size > MAX_STREAM:
                    raise DocumentTooLarge(
                        f"A message in this mail is larger than {MAX_STREAM >> 20} MB. Save it alone."
                    )
                with self._compound.openstream(entry) as stream:
                    streams[tuple(entry[depth:] if inside else entry)] = bytes(stream.read())
        if depth and (properties := (_PROPERTIES,)) in streams:
            property_stream = streams[properties]
            streams[properties] = property_stream[: self._header] + bytes(8) + property_stream[self._header :]
        return compound_file(streams, _CLASS)

    def attached_names(self) -> list[str]:
        """Of the storages that attachments lie in, in their order."""
        depth = len(self._path)
        return sorted(
            {
                entry[depth]
                for entry in self._compound.listdir(streams=True, storages=True)
                if len(entry) > depth
                and tuple(entry[:depth]) == self._path
                and entry[depth].startswith("__attach_version1.0_#")
            }
        )

    def attachments(self) -> Iterator[OutlookAttachment]:
        for number, name in enumerate(self.attached_names()[:MAX_ATTACHMENTS], start=1):
            yield self._attached((*self._path, name), number)

    def _attached(self, path: Path, number: int) -> OutlookAttachment:
        part = OutlookMessage(self._compound, path)
        inner_path = (*path, f"__substg1.0_3701{_STORAGE}")
        name = one_line(part.text("3707") or part.text("3704") or part.text("3001"), 255)
        if self._compound.exists([*inner_path, _PROPERTIES]):
            inner = OutlookMessage(self._compound, inner_path)
            called = one_line(inner.text("0037"), 200) or name or f"message-{number}"
            called = called if called.lower().endswith(".msg") else f"{called}.msg"
            return OutlookAttachment(called, "application/vnd.ms-outlook", None, inner, inner.as_file)
        size = part.size(f"3701{_BINARY}")
        return OutlookAttachment(
            name or f"attachment-{number}",
            one_line(part.text("370E"), 200),
            size,
            None,
            lambda: part.binary("3701"),
        )

    def size(self, tag: str) -> int | None:
        """Of a stream, in bytes; None where there is none."""
        path = [*self._path, f"__substg1.0_{tag}"]
        return int(self._compound.get_size(path)) if self._compound.exists(path) else None

    def _sender(self) -> str:
        name = self.text("0C1A") or self.text("0042")
        addresses = (self.text(tag) for tag in ("5D01", "5D02", "0C1F", "0065"))
        address = next((address_ for address_ in addresses if "@" in address_), "")
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
        data = self._raw(_PROPERTIES)
        values: dict[tuple[int, int], int] = {}
        for start in range(self._header, len(data) - 15, 16):
            kind, tag, _, value = struct.unpack("<HHIQ", data[start : start + 16])
            values[tag, kind] = value
        return values

    def _stream(self, name: str) -> bytes:
        return self._raw(f"__substg1.0_{name}")

    def _raw(self, name: str) -> bytes:
        path = [*self._path, name]
        try:
            if not self._compound.exists(path) or self._compound.get_size(path) > MAX_STREAM:
                return b""
            with self._compound.openstream(path) as stream:
                return bytes(stream.read())
        except Exception:  # a stream with a broken chain; the others may be whole
            return b""
