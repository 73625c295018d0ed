"""Vectors for tests, made of words alone: the same text has the same vector everywhere, texts that share words are near each
other, and those that share none are not."""

from __future__ import annotations

import math
import struct
from collections import Counter
from hashlib import shake_128


def hashed(text: str, dimensions: int) -> list[float]:
    """Of length one; zeros for a text without words."""
    sums = [0.0] * dimensions
    for word, times in Counter(text.casefold().split()).items():
        for place, number in enumerate(_numbers(word, dimensions)):
            sums[place] += times * number
    length = math.sqrt(sum(number * number for number in sums))
    return [number / length for number in sums] if length else sums


def _numbers(word: str, dimensions: int) -> list[float]:
    """Between -1 and 1."""
    data = shake_128(word.encode("utf-8", "replace")).digest(2 * dimensions)
    return [pair / 32_767.5 - 1 for (pair,) in struct.iter_unpack(">H", data)]
