"""Ids: UUIDv7, made here, so that rows sort by the moment they were made and inserts stay at the end of an index."""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last_ms = 0
_counter = 0


def new_id() -> UUID:
    """A fresh UUIDv7; within one process each id is greater than the one before, also when the clock steps back."""
    global _last_ms, _counter
    with _lock:
        now_ms = time.time_ns() // 1_000_000
        if now_ms > _last_ms:
            _last_ms = now_ms
            _counter = int.from_bytes(os.urandom(2)) & 0x07FF  # room to count up within the millisecond
        else:
            _counter += 1
            if _counter > 0x0FFF:
                _last_ms += 1
                _counter = 0
        milliseconds, counter = _last_ms, _counter
    random_bits = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    return UUID(int=(milliseconds << 80) | (0x7 << 76) | (counter << 64) | (0b10 << 62) | random_bits)
