"""Whether the clock was set while we were running. Whatever removes things by their age asks here first: what was stored a
minute before a jump by a day looks a day old after it."""

from __future__ import annotations

import time
from datetime import timedelta

from workroom.core.clock import now

JUMP = timedelta(minutes=5)  # drift and slow machines stay far below
SETTLES = timedelta(days=1)  # so long nothing is removed for its age after a jump
_COUNTS_SLEEP = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # macOS' own counts it anyway


class ClockJumps:
    def __init__(self) -> None:
        self._apart = _apart()
        self._jumped_at: float | None = None

    def is_steady(self) -> bool:
        """False from a jump on, until what was stored before it is old by any clock."""
        apart = _apart()
        if abs(apart - self._apart) > JUMP.total_seconds():
            self._apart, self._jumped_at = apart, _steady()
        return self._jumped_at is None or _steady() - self._jumped_at > SETTLES.total_seconds()


def _steady() -> float:
    """Seconds on the monotonic clock."""
    return time.clock_gettime(_COUNTS_SLEEP)


def _apart() -> float:
    return now().timestamp() - _steady()
