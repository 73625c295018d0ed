"""From the database's notifications to open streams: one listener per process, one bounded inbox per stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from workroom.core.changes import Change
from workroom.core.waiting import wait_for
from workroom.db.channels import CHANGES
from workroom.db.listener import Listener

log = logging.getLogger(__name__)

INBOX_SIZE = 256


class Inbox:
    """What a stream has not sent yet. Full or cut off: the client must look again at everything."""

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self.wake = asyncio.Event()
        self.missed = False
        self.closed = False

    def put(self, change: Change) -> None:
        if len(self._changes) < INBOX_SIZE:
            self._changes.append(change)
        else:
            self.missed = True
        self.wake.set()

    def miss(self) -> None:
        self.missed = True
        self.wake.set()

    def close(self) -> None:
        self.closed = True
        self.wake.set()

    async def take(self, timeout: float) -> list[Change]:
        """Everything that has arrived; empty after `timeout` seconds of silence."""
        if not await wait_for(self.wake, timeout):
            return []
        self.wake.clear()
        taken, self._changes = self._changes, []
        return taken


class ChangeHub:
    def __init__(self, listener: Listener) -> None:
        self._inboxes: set[Inbox] = set()
        self._closed = False
        listener.on(CHANGES, self._heard)
        listener.on_connect(self._reconnected)

    @contextmanager
    def subscribe(self) -> Iterator[Inbox]:
        inbox = Inbox()
        if self._closed:
            inbox.close()
        self._inboxes.add(inbox)
        try:
            yield inbox
        finally:
            self._inboxes.discard(inbox)

    def close(self) -> None:
        """Let every stream end, so that the server can stop without waiting for browsers."""
        self._closed = True
        for inbox in self._inboxes:
            inbox.close()

    def _heard(self, payload: str) -> None:
        try:
            change = Change.model_validate_json(payload)
        except ValidationError:
            log.warning("a notification could not be read")
            return
        for inbox in self._inboxes:
            inbox.put(change)

    def _reconnected(self) -> None:
        for inbox in self._inboxes:
            inbox.miss()
