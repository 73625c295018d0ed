"""Publishes the queue positions of waiting runs, within their organisation, whenever they have changed."""

from __future__ import annotations

import asyncio
import logging

from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.runs import event_store, store

log = logging.getLogger(__name__)

TELL_SECONDS = 2.0


class Places:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._stop = asyncio.Event()

    async def run(self) -> None:
        """Until `stop`. In every worker: a place is announced by the first worker that sees it changed."""
        while not await wait_for(self._stop, TELL_SECONDS):
            try:
                await self.tell()
            except (Conflict, DatabaseUnavailable):
                pass  # the next time is soon
            except Exception:
                log.exception("places in the queue could not be told")

    def stop(self) -> None:
        self._stop.set()

    async def tell(self) -> None:
        if moved := await store.moved_in_queue(self._db):
            await event_store.append_places(self._db, moved)
