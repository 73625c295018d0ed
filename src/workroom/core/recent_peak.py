"""The highest of the last values of something that is measured again and again, such as a delay."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

HALVED_SECONDS = 0.5


class RecentPeak:
    """A value counts in full when it is observed, and half as much after every half second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._value, self._at = 0.0, clock()

    def observe(self, value: float) -> None:
        if value >= self.value:
            self._value, self._at = value, self._clock()

    @property
    def value(self) -> float:
        age: float = (self._clock() - self._at) / HALVED_SECONDS
        return self._value * math.pow(0.5, age)
