"""How long statements wait for a connection of the pool: the first sign that a process has taken on too much."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager

from workroom.core.recent_peak import RecentPeak


class PoolWaits:
    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._waiting: dict[int, float] = {}  # in the order in which they began
        self._over = RecentPeak()

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Around the wait for one connection."""
        number, began = next(self._numbers), time.monotonic()
        self._waiting[number] = began
        try:
            yield
        finally:
            del self._waiting[number]
            self._over.observe(time.monotonic() - began)

    @property
    def longest(self) -> float:
        """Of the last moment, in seconds; one that is not over counts with what it has waited so far."""
        oldest = next(iter(self._waiting.values()), None)
        return max(self._over.value, 0.0 if oldest is None else time.monotonic() - oldest)
