"""The events of a person's runs, as they are stored, for all their browsers: one reader per process, however many streams.

A notification names run, numbers, mandate and owner; the feed reads what is new once and hands it to every subscription of that
owner. It begins where the run is when a stream connects and may skip when a reader is slow: numbers are gapless, so a client that
misses something sees it and asks for the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import UUID

from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.db.channels import EVENTS
from workroom.db.listener import Listener
from workroom.runs import event_store
from workroom.runs.types import EventNotification, RunKey, StoredEvent

log = logging.getLogger(__name__)

MOST_WAITING = 2_000
MOST_RUNS_REMEMBERED = 10_000
AWAY_SECONDS = 0.5


class Subscription:
    """What one stream has not read yet of the events of its owner."""

    def __init__(self, owner: UUID, wake: asyncio.Event) -> None:
        self.owner = owner
        self._wake = wake
        self._waiting: list[StoredEvent] = []

    def tell(self, events: list[StoredEvent]) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting += events
        self._wake.set()

    def take(self) -> list[StoredEvent]:
        taken, self._waiting = self._waiting, []
        return taken


class Feed:
    def __init__(self, db: Database, listener: Listener) -> None:
        self._db = db
        self._subscriptions: dict[UUID, set[Subscription]] = {}
        self._notifications: dict[RunKey, EventNotification] = {}
        self._read_until: dict[RunKey, int] = {}
        self._something = asyncio.Event()
        self._stop = asyncio.Event()
        listener.on(EVENTS, self._heard)

    @contextmanager
    def subscribe(self, owner: UUID, wake: asyncio.Event) -> Iterator[Subscription]:
        subscription = Subscription(owner, wake)
        self._subscriptions.setdefault(owner, set()).add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions[owner].discard(subscription)
            if not self._subscriptions[owner]:
                del self._subscriptions[owner]

    async def run(self) -> None:
        while not self._stop.is_set():
            await self._something.wait()
            self._something.clear()
            notifications, self._notifications = self._notifications, {}
            try:
                await self._pass_on(list(notifications.values()))
            except Exception as error:  # nothing may end this: what was hinted at is read with the next look
                log.warning("the feed of events waits", extra={"reason": f"{type(error).__name__}: {error}"})
                self._hear_again(notifications.values())
                await wait_for(self._stop, AWAY_SECONDS)

    def stop(self) -> None:
        self._stop.set()
        self._something.set()

    def _heard(self, payload: str) -> None:
        for text in payload.split(","):
            notification = EventNotification.decode(text)
            if notification.owner in self._subscriptions:
                # Of a run not read yet the first notification says where to begin: a second one must not push it out.
                known = self._notifications.get(notification.key)
                self._notifications[notification.key] = (
                    notification if known is None else replace(notification, first=known.first)
                )
        if self._notifications:
            self._something.set()

    def _hear_again(self, notifications: Iterable[EventNotification]) -> None:
        for notification in notifications:
            newer = self._notifications.get(notification.key)
            self._notifications[notification.key] = (
                notification if newer is None else replace(newer, first=notification.first)
            )
        self._something.set()

    async def _pass_on(self, notifications: list[EventNotification]) -> None:
        if not notifications:
            return
        # The first notification of a run covers only its newest events: what came before is in the log.
        wanted = [
            (notification.key, self._read_until.get(notification.key, notification.first - 1))
            for notification in notifications
        ]
        events = await event_store.events_of_many(self._db, wanted)
        for notification in notifications:
            new = events.get(notification.key.run_id, [])
            if not new:
                continue
            self._read_until[notification.key] = new[-1].seq
            for subscription in self._subscriptions.get(notification.owner, ()):
                subscription.tell(new)
        while len(self._read_until) > MOST_RUNS_REMEMBERED:
            del self._read_until[next(iter(self._read_until))]
