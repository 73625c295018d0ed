"""The events that one run has emitted and that are not stored yet."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from uuid import UUID

from workroom.core.run_events import ChunkArrived, RunEvent, TextPiece
from workroom.runs.types import AttemptEvents, Claim


class EventBuffer:
    """Events are stored in the order in which they were emitted: to take them is to hold `order` until they are stored.

    `on_event` is called with the buffer after each event, so that it is flushed soon. `lost` is set when the run's lease is gone.
    """

    def __init__(self, claim: Claim, on_event: Callable[[EventBuffer], None]) -> None:
        self.key = claim.key
        self.epoch = claim.epoch
        self.attempt = claim.attempts
        self.order = asyncio.Lock()
        self.lost = asyncio.Event()
        self._on_event = on_event
        self._events: AttemptEvents = []
        self._closed = False
        self._message: UUID | None = None
        self._text: list[str] = []

    def emit(self, event: RunEvent) -> None:
        if self._closed:
            return
        self._events.append((self.attempt, event))
        if isinstance(event, ChunkArrived):
            if event.message_id != self._message:
                self._message, self._text = event.message_id, []
            self._text.append(event.text)
        self._on_event(self)

    def take(self) -> AttemptEvents:
        """Empty the buffer. Chunks of one text that waited together become one."""
        taken, self._events = self._events, []
        return joined(taken)

    def put_back(self, taken: AttemptEvents) -> None:
        """They could not be stored: they are again the first ones to be."""
        self._events = [] if self._closed else taken + self._events

    def close(self) -> None:
        """The run is left to other workers, which emit anew: what is not stored by now must not appear among their events."""
        self._closed = True
        self._events = []

    def forget_partial(self) -> None:
        self._message, self._text = None, []

    @property
    def partial(self) -> tuple[UUID, str] | None:
        """Id and text, as far as it was streamed, of a message that is not stored yet."""
        return (self._message, "".join(self._text)) if self._message and self._text else None


def joined(events: AttemptEvents) -> AttemptEvents:
    """Neighbouring pieces of a text as one: stored together they are drawn together, and cost one row instead of many."""
    result: AttemptEvents = []
    for source, group in itertools.groupby(events, _source):
        neighbours = list(group)
        attempt, first = neighbours[0]
        if source is not None and len(neighbours) > 1:
            text = "".join(event.text for _, event in neighbours if isinstance(event, TextPiece))
            neighbours = [(attempt, first.model_copy(update={"text": text}))]
        result += neighbours
    return result


def _source(buffered: tuple[int, RunEvent]) -> tuple[int, UUID, str] | None:
    """Attempt, message and kind of a piece of text; None for other events."""
    attempt, event = buffered
    return (attempt, event.message_id, event.type) if isinstance(event, TextPiece) else None
