"""Limits how many event streams one person has open in this process: each costs a connection, and polls the database now and
then."""

from __future__ import annotations

from contextlib import AbstractContextManager
from uuid import UUID

from workroom.core.errors import TooManyRequests
from workroom.core.person_slots import PersonSlots

RETRY_SECONDS = 10


class StreamLimit:
    """One for all kinds of streams."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._slots = PersonSlots()

    def hold(self, user_id: UUID | None) -> AbstractContextManager[None]:
        """One more, inside the block. Raises TooManyRequests."""
        refusal = TooManyRequests(
            f"You have {self._most} open streams, and no more are allowed. Close some windows or programs.",
            code="tooManyStreams",
            retry_after=RETRY_SECONDS,
        )
        return self._slots.hold(user_id, self._most, refusal)
