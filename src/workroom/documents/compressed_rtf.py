"""The RTF that Outlook stores packed in its messages (MS-OXRTFCP): a dictionary of 4 KB, and runs of 17 bytes at most."""

from __future__ import annotations

import struct

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}"
    b"{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbol"
    b"ArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_PACKED, _PLAIN = b"LZFu", b"MELA"
_RING = 4096
_MAX = 64 << 20


def unpacked_rtf(data: bytes) -> bytes:
    """The decompressed RTF, as far as it is intact; empty for other data."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack("<I", data[4:8])[0], data[8:12]
    if kind == _PLAIN:
        return data[16 : 16 + size]
    return _unpack(data[16:], min(size, _MAX)) if kind == _PACKED else b""


def _unpack(data: bytes, size: int) -> bytes:
    ring = bytearray(_START.ljust(_RING, b" "))
    write = len(_START)
    made = bytearray()
    position = 0
    while position < len(data) and len(made) < size:
        control = data[position]
        position += 1
        for bit in range(8):
            if control >> bit & 1:
                if position + 1 >= len(data):
                    return bytes(made)
                reference = data[position] << 8 | data[position + 1]
                position += 2
                offset, length = reference >> 4, (reference & 0xF) + 2
                if offset == write:
                    return bytes(made)
                run = (ring[(offset + step) % _RING] for step in range(length))
            else:
                if position >= len(data):
                    return bytes(made)
                run = (value for value in data[position : position + 1])
                position += 1
            for value in run:
                made.append(value)
                ring[write] = value
                write = (write + 1) % _RING
    return bytes(made)
