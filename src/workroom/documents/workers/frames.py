"""Framing of messages between parent and child: one byte for the type, four for the length, then JSON or raw bytes."""

from __future__ import annotations

import asyncio
import struct
from enum import Enum
from typing import IO

_HEAD = struct.Struct(">cL")
MAX_FRAME = 8 << 20  # a structure of a hundred thousand sections; everything else is far smaller
PAGE = 1 << 16  # bytes of small frames that are taken together
PIECE = 1 << 20  # bytes of an element per frame


class FrameType(bytes, Enum):
    JOB = b"j"
    READY = b"r"  # the child is there
    BEGUN = b"b"  # it has the job: from now on its death is the document's fault
    VALUE = b"v"  # JSON: a structure, a content object, a member, the head of an element
    DATA = b"d"  # bytes of an element
    ERROR = b"e"
    DONE = b"."


Frame = tuple[FrameType, bytes]


class BadFrame(Exception):
    """A frame that is too long or of unknown type: the stream cannot be used any more."""


def pack_frame(mark: FrameType, payload: bytes = b"") -> bytes:
    if len(payload) > MAX_FRAME:
        raise BadFrame(f"{len(payload)} bytes")
    return _HEAD.pack(mark.value, len(payload)) + payload


class FrameReader:
    """Frames that come out of a stream, as many at a time as are there: one by one, a hundred thousand small ones would hold
    the reader's event loop for seconds."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader, self._bytes = reader, bytearray()

    async def page(self) -> list[Frame]:
        """At least one. Raises asyncio.IncompleteReadError when the other side is gone."""
        while not (frames := self._complete()):
            if not (data := await self._reader.read(PAGE)):
                raise asyncio.IncompleteReadError(bytes(self._bytes), None)
            self._bytes += data
        return frames

    def _complete(self) -> list[Frame]:
        frames, start = list[Frame](), 0
        while (begin := start + _HEAD.size) <= len(self._bytes):
            try:
                mark, length = _unpack_head(self._bytes[start:begin])
            except BadFrame:
                if not frames:
                    raise
                break  # it is still there when these have been taken
            if begin + length > len(self._bytes):
                break
            frames.append((mark, bytes(self._bytes[begin : begin + length])))
            start = begin + length
        del self._bytes[:start]
        return frames


def read_frame(stream: IO[bytes]) -> Frame | None:
    """Read one frame from a blocking stream; None at its end."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    mark, length = _unpack_head(head)
    payload = stream.read(length)
    return (mark, payload) if len(payload) == length else None


def _unpack_head(head: bytes | bytearray) -> tuple[FrameType, int]:
    mark, length = _HEAD.unpack(head)
    if length > MAX_FRAME:
        raise BadFrame(f"{length} bytes")
    try:
        return FrameType(mark), length
    except ValueError:
        raise BadFrame(repr(mark)) from None
