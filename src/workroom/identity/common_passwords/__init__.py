"""Passwords that are guessed first, in the form `core_forms` gives them.

`words.txt.gz` is made by `refresh.py` beside it. It is read with the first password that is set, and kept.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


@cache
def common_passwords() -> frozenset[str]:
    packed = (files(__package__) / "words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split("\n"))
