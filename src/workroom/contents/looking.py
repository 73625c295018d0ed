"""Looks into every file that was stored, a few at a time, in the background: what kind it is, what its structure is, what
an archive holds. The files' rows say what is left to do, so a restart goes on where it was; one person's thousand files do
not keep another's waiting, and whoever opens a file does not wait for its turn at all (`service.py`)."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from workroom.contents import store
from workroom.contents.places import Places
from workroom.contents.reading import ContentReader
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, WorkroomError
from workroom.db import Database
from workroom.files import looks
from workroom.files.looks import Look
from workroom.files.ports import Blob
from workroom.files.service import Content, Files

log = logging.getLogger(__name__)

SWEEP_SECONDS = 10.0
WATCH_SECONDS = 1.0
HELD = timedelta(seconds=20)  # renewed while somebody is at it; so long a file waits whose worker died
LATER = timedelta(minutes=5)  # before the next try
MOST_TRIES = 3
UNUSED_KEPT = timedelta(days=1)


class Looker:
    def __init__(self, db: Database, files: Files, reader: ContentReader, at_once: int = 1) -> None:
        self._db, self._reader, self._at_once = db, reader, at_once
        self._places = Places(db, files, reader)
        self._busy: set[asyncio.Task[None]] = set()
        self._bell, self._stop = asyncio.Event(), asyncio.Event()

    async def rung(self, _: bytes) -> None:
        """The queue's handler: something was stored."""
        self._bell.set()

    async def run(self) -> None:
        """Until `close`."""
        while not self._stop.is_set():
            self._bell.clear()  # before looking, not after: who rings in between is heard
            try:
                while len(self._busy) < self._at_once and (claimed := await self._claim()):
                    self._begin(claimed)
            except (Conflict, DatabaseUnavailable):
                pass  # the next round is soon
            except Exception:
                log.exception("files that are waiting could not be found")
            await self._wait()

    async def close(self) -> None:
        """What is being looked into goes back to the others."""
        self._stop.set()
        self._bell.set()
        for task in self._busy:
            task.cancel()
        if self._busy:
            await asyncio.wait(self._busy)

    async def _wait(self) -> None:
        """For the bell, for a free place, or for a while."""
        ringing = asyncio.create_task(self._bell.wait())
        waiting: set[asyncio.Task[object]] = {ringing, *self._busy}
        await asyncio.wait(waiting, timeout=SWEEP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        ringing.cancel()

    async def _claim(self) -> Look | None:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            found = await looks.claim(uow, now(), now() + HELD, 1)
        return found[0] if found else None

    def _begin(self, look: Look) -> None:
        task = asyncio.create_task(self._work(look), name=f"look into {look.file_id}")
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)

    async def _work(self, look: Look) -> None:
        looking = asyncio.create_task(self._look(look))
        try:
            while not looking.done():
                await asyncio.wait({looking}, timeout=WATCH_SECONDS)
                if not looking.done() and not await self._is_wanted(look):
                    looking.cancel()
                    await asyncio.wait({looking})
                    return
            await looking
        except asyncio.CancelledError:
            looking.cancel()
            await asyncio.wait({looking})
            await self._give_back(look)
            raise
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("a file waits for another look", extra={"file": str(look.file_id), "reason": error.message})
        except Exception:
            log.exception("a file could not be looked into", extra={"file": str(look.file_id)})

    async def _look(self, look: Look) -> None:
        async with self._db.unit_of_work(UserActor(look.mandate_id)) as uow:
            found = await looks.read(uow, look)
        if found is None:
            return
        file, version = found
        lane = f"look {look.mandate_id}:{look.owner_id}"
        if look.tries <= MOST_TRIES:
            try:
                stored = Content(file, version, Blob(look.mandate_id, version.hash, version.size))
                await self._reader.content(await self._places.of(stored, lane), lane)
            except (Conflict, DatabaseUnavailable):
                raise
            except WorkroomError as error:  # the content is missing, the disk is full: opening it says so, too
                log.warning("a file could not be looked into", extra={"file": str(file.id), "reason": error.message})
                if look.tries < MOST_TRIES:
                    async with self._db.unit_of_work(UserActor(look.mandate_id)) as uow:
                        await looks.hold(uow, look, now() + LATER)
                    return
        async with self._db.unit_of_work(UserActor(look.mandate_id)) as uow:
            await looks.done(uow, look)

    async def _is_wanted(self, look: Look) -> bool:
        """Whoever deletes a file, or stores a newer version, ends the look into it; otherwise it is ours for longer."""
        try:
            async with self._db.unit_of_work(UserActor(look.mandate_id)) as uow:
                if await looks.read(uow, look) is None:
                    return False
                await looks.hold(uow, look, now() + HELD)
        except (Conflict, DatabaseUnavailable):
            pass
        return True

    async def _give_back(self, look: Look) -> None:
        try:
            async with self._db.unit_of_work(UserActor(look.mandate_id)) as uow:
                await looks.give_back(uow, look)
        except (Conflict, DatabaseUnavailable):
            log.warning("a look could not be given back; it will lapse", extra={"file": str(look.file_id)})


async def forget_unused(db: Database) -> int:
    """Contents no file and no archive holds any more."""
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        swept = await store.sweep(uow, now() - UNUSED_KEPT)
    if swept:
        log.info("forgot contents that no file has", extra={"contents": swept})
    return swept
