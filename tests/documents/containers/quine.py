"""A ZIP that holds itself: DEFLATE as a program whose output is the whole file.

After Russ Cox, "Zip Files All The Way Down" (2010): `L` prints the bytes that follow it, `R` repeats what was printed last,
both in exactly five bytes. The checksum of a file that contains its own checksum is the solution of 32 linear equations.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

_UNIT = 5


_EMPTY_BLOCK = "010" + "0000000"
# Repeating must fit into five bytes exactly, which only some lengths do: hence the long name and the comment.
_NAME = b"this-archive-holds-itself-.zip"
_COMMENT = b"without end, without end, without end"


def quine() -> bytes:
    return _whole(_own_checksum(_whole))


def _own_checksum(make: Callable[[int], bytes]) -> int:
    """The number that is the CRC-32 of the bytes made with it; linear over single bits, so elimination finds it."""
    base = zlib.crc32(make(0))
    rows = []
    for bit in range(32):
        change = zlib.crc32(make(1 << bit)) ^ base ^ (1 << bit)
        rows.append((change, 1 << bit))
    wanted, answer = base, 0
    for position in range(31, -1, -1):
        pivot = next((row for row in rows if row[0] >> position & 1), None)
        if pivot is None:
            continue
        rows = [
            (row[0] ^ pivot[0], row[1] ^ pivot[1]) if row[0] >> position & 1 else row
            for row in rows
            if row is not pivot
        ]
        if wanted >> position & 1:
            wanted ^= pivot[0]
            answer ^= pivot[1]
    assert wanted == 0, "no solution for this name: try another"
    assert zlib.crc32(make(answer)) == answer
    return answer


def _whole(crc: int) -> bytes:
    prefix, suffix = _ends(crc, 0, 0)
    packed = len(_program(prefix, suffix))
    prefix, suffix = _ends(crc, packed, len(prefix) + packed + len(suffix))
    return prefix + _program(prefix, suffix) + suffix


def _ends(crc: int, packed: int, size: int) -> tuple[bytes, bytes]:
    common = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0x21, crc, packed, size, len(_NAME), 0)
    prefix = b"PK\3\4" + common + _NAME
    entry = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHLL", 0, 0, 0, 0, 0) + _NAME
    end = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(entry), len(prefix) + packed, len(_COMMENT))
    return prefix, entry + end + _COMMENT


def _program(prefix: bytes, suffix: bytes) -> bytes:
    p, s = len(prefix) + _UNIT, len(suffix) + _UNIT
    lp, rp = _print(p), _repeat(p)
    ls, rs = _print(s), _repeat(s, last=True)
    nothing, l1, l4, r4 = _print(0), _print(_UNIT), _print(4 * _UNIT), _repeat(4 * _UNIT)
    return b"".join(
        [
            *(lp, prefix, lp),
            rp,
            *(l1, rp),
            *(l1, l1),
            *(l4, rp, l1, l1, l4),
            r4,
            *(l4, r4, l4, r4, l4),
            r4,
            *(l4, r4, nothing, nothing, ls),
            r4,
            *(nothing, nothing, ls, rs, suffix),
            rs,
        ]
    )


def _print(length: int) -> bytes:
    """A stored block: its five bytes of header, the content follows."""
    return struct.pack("<BHH", 0, length, length ^ 0xFFFF)


def _repeat(length: int, *, last: bool = False) -> bytes:
    """Matches that copy the last `length` bytes once; one or two of them, with or without an empty block, fill the bytes."""
    for lengths in ([length], [length // 2, length - length // 2]):
        for filling in ("", _EMPTY_BLOCK):
            bits = f"{filling}{int(last)}10" + "".join(_match(part, length) for part in lengths) + "0000000"
            if len(bits) == 8 * _UNIT or (last and 8 * (_UNIT - 1) < len(bits) < 8 * _UNIT):
                return int(bits.ljust(8 * _UNIT, "0")[::-1], 2).to_bytes(_UNIT, "little")
    raise ValueError(f"{length} bytes cannot be repeated in five")


def _match(length: int, distance: int) -> str:
    """Fixed Huffman codes: codes are sent from their highest bit, extra bits from their lowest."""
    code, extra, base = _bucket(length, 3, 257, 4, 8)
    if length == 258:
        code, extra, base = 285, 0, 258
    text = f"{code - 256:07b}" if code < 280 else f"{code - 280 + 0b11000000:08b}"
    text += _extra(length - base, extra)
    code, extra, base = _bucket(distance, 1, 0, 2, 4)
    return text + f"{code:05b}" + _extra(distance - base, extra)


def _bucket(value: int, base: int, code: int, step: int, plain: int) -> tuple[int, int, int]:
    extra, used = 0, 0
    while value >= base + (1 << extra):
        base += 1 << extra
        code += 1
        used += 1
        if used >= plain and (used - plain) % step == 0:
            extra += 1
    return code, extra, base


def _extra(value: int, bits: int) -> str:
    return f"{value:0{bits}b}"[::-1] if bits else ""
