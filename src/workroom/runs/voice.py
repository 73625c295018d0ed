"""What one run has said and not yet stored. Its lock keeps the order: whoever takes the words also writes them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from uuid import UUID

from workroom.core.run_events import ChunkArrived, RunEvent
from workroom.runs.types import RunKey

Waiting = list[tuple[int, RunEvent]]


class Voice:
    def __init__(self, key: RunKey, owner: UUID, epoch: int, attempt: int, spoke: Callable[[Voice], None]) -> None:
        self.key = key
        self.owner = owner
        self.epoch = epoch
        self.attempt = attempt
        self.order = asyncio.Lock()
        self.lost = asyncio.Event()
        self._spoke = spoke
        self._waiting: Waiting = []
        self._silent = False
        self._message: UUID | None = None
        self._text: list[str] = []

    def emit(self, event: RunEvent) -> None:
        if self._silent:
            return
        self._waiting.append((self.attempt, event))
        if isinstance(event, ChunkArrived):
            if event.message_id != self._message:
                self._message, self._text = event.message_id, []
            self._text.append(event.text)
        self._spoke(self)

    def take(self) -> Waiting:
        """Hold `order` until what is taken is stored. Pieces of one text that waited together become one."""
        taken, self._waiting = self._waiting, []
        return joined(taken)

    def put_back(self, taken: Waiting) -> None:
        """It could not be stored; it is still to be said, before everything said since."""
        self._waiting = [] if self._silent else taken + self._waiting

    def fall_silent(self) -> None:
        """The run is left to others, who say it anew: what is not stored by now must not appear between their words."""
        self._silent = True
        self._waiting = []

    def forget_partial(self) -> None:
        self._message, self._text = None, []

    @property
    def partial(self) -> tuple[UUID, str] | None:
        """The text streamed so far of a message that is not stored yet."""
        return (self._message, "".join(self._text)) if self._message and self._text else None


def joined(waiting: Waiting) -> Waiting:
    """Neighbouring chunks as one: told together they are drawn together, and cost one row and one event instead of many."""
    made: Waiting = []
    for place, group in itertools.groupby(waiting, _belongs_to):
        words = list(group)
        attempt, first = words[0]
        if place is not None and isinstance(first, ChunkArrived) and len(words) > 1:
            text = "".join(event.text for _, event in words if isinstance(event, ChunkArrived))
            words = [(attempt, first.model_copy(update={"text": text}))]
        made += words
    return made


def _belongs_to(word: tuple[int, RunEvent]) -> tuple[int, UUID] | None:
    attempt, event = word
    return (attempt, event.message_id) if isinstance(event, ChunkArrived) else None
