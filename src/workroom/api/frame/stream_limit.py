"""How many event streams one person has open in this process: each costs a connection, and looks into the database now and
then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from workroom.core.errors import TooManyRequests

RETRY_SECONDS = 10


class StreamLimit:
    """One for all kinds of streams."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[UUID | None] = Counter()

    @contextmanager
    def hold(self, user_id: UUID | None) -> Iterator[None]:
        """One more, inside the block. Raises TooManyRequests."""
        if self._open[user_id] >= self._most:
            raise TooManyRequests(
                f"You have {self._most} open streams, and no more are allowed. Close some windows or programs.",
                code="tooManyStreams",
                retry_after=RETRY_SECONDS,
            )
        self._open[user_id] += 1
        try:
            yield
        finally:
            self._open[user_id] -= 1
            if not self._open[user_id]:
                del self._open[user_id]
