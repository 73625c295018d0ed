"""Limits how much of one kind a person has under way at once in this process: event streams, waiting requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from workroom.core.errors import TooManyRequests


class PersonSlots:
    def __init__(self) -> None:
        self._taken: Counter[UUID | None] = Counter()

    @contextmanager
    def hold(self, user_id: UUID | None, most: int, refusal: TooManyRequests) -> Iterator[None]:
        """Takes one of the person's `most` slots, inside the block. Raises the refusal if all are taken."""
        if self._taken[user_id] >= most:
            raise refusal
        self._taken[user_id] += 1
        try:
            yield
        finally:
            self._taken[user_id] -= 1
            if not self._taken[user_id]:
                del self._taken[user_id]
