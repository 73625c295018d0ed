"""Whether a worker process can carry more work: by how late its event loop wakes and how long it waits for a connection.

A fixed number of tasks would be too many for some kinds of work and too few for others. A process that is late with what it has
leaves the rest to other workers, or to a calmer moment.
"""

from __future__ import annotations

from collections.abc import Callable

from workroom.core import loop_lag
from workroom.core.recent_peak import RecentPeak

LONGEST_LAG = 0.25  # seconds; people notice half of it
LONGEST_POOL_WAIT = 0.5


def _no_wait() -> float:
    return 0.0


class Admission:
    """`pool_wait`: how long statements have lately waited for a connection, in seconds."""

    def __init__(self, pool_wait: Callable[[], float] = _no_wait) -> None:
        self._pool_wait = pool_wait
        self._lag = RecentPeak()

    async def run(self) -> None:
        """Measures the event loop it runs in, until it is cancelled."""
        await loop_lag.watch(self.observe_lag)

    def observe_lag(self, seconds: float) -> None:
        self._lag.observe(seconds)

    @property
    def is_open(self) -> bool:
        return self._lag.value <= LONGEST_LAG and self._pool_wait() <= LONGEST_POOL_WAIT


ALWAYS_OPEN = Admission()
"""Nothing is measured: as many tasks as there are places."""
