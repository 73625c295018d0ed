"""Reading a run's events as they come: what is stored already, then whatever follows, until the run is over.

Notifications are hints; a reader also polls every two seconds. Any process can tail any run.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from uuid import UUID

from workroom.core.run_events import RunState
from workroom.core.waiting import wait_for
from workroom.db.channels import EVENTS
from workroom.db.listener import Listener
from workroom.runs.types import EventNotification, StoredEvent

LOOK_SECONDS = 2.0

Read = Callable[[int], Awaitable[tuple[list[StoredEvent], RunState]]]


class Tail:
    """One per process."""

    def __init__(self, listener: Listener) -> None:
        self._waiting: defaultdict[UUID, set[asyncio.Event]] = defaultdict(set)
        self._closed = False
        listener.on(EVENTS, self._heard)
        listener.on_connect(self._wake_all)

    async def follow(self, run_id: UUID, read: Read, after: int = 0) -> AsyncGenerator[StoredEvent | None]:
        """Every event once, in order; None now and then, when there is nothing new: a moment to check who listens."""
        wake = asyncio.Event()
        self._waiting[run_id].add(wake)
        try:
            while not self._closed:
                wake.clear()
                events, state = await read(after)
                for event in events:
                    after = event.seq
                    yield event
                if events:
                    continue
                if state.is_over:
                    return
                yield None
                await wait_for(wake, LOOK_SECONDS)
        finally:
            self._waiting[run_id].discard(wake)
            if not self._waiting[run_id]:
                del self._waiting[run_id]

    def close(self) -> None:
        self._closed = True
        self._wake_all()

    def _heard(self, payload: str) -> None:
        for notification in payload.split(","):
            run_id = EventNotification.decode(notification).key.run_id
            for wake in self._waiting.get(run_id, ()):
                wake.set()

    def _wake_all(self) -> None:
        for waiting in self._waiting.values():
            for wake in waiting:
                wake.set()
