"""A model is asked once for the same digest, whatever process wants it: the others wait for the one that has claimed it.

A claim lasts while the heartbeat of its process does (db/leases.py)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from uuid import UUID

from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.core.waiting import to_its_end
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.knowledge.digests import store
from workroom.knowledge.digests.types import DigestKey, StoredDigest

LOOK_AGAIN = 0.5  # seconds; other processes do not tell us when they are done
RELEASE_AGAIN = 1.0
STOOD_IN = timedelta(
    hours=1
)  # so long an answer counts that another model gave; then the one that is meant is asked again

WAITING = "Somebody else is asking the same just now"


class Claims:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._releasing: set[asyncio.Task[None]] = set()

    async def once(
        self,
        principal: Principal,
        piece: DigestKey,
        turns: asyncio.Semaphore,
        make: Callable[[], Awaitable[StoredDigest]],
        report_progress: Callable[[str], None],
    ) -> StoredDigest:
        """What another process has made meanwhile, or what we make of it. A waiting caller yields its turn. What `make`
        raises is ours alone: the next one tries for themselves."""
        told = False
        while True:
            async with turns, self._held(principal, piece) as ours:
                if ours:
                    return await self.kept(principal, piece) or await make()
            if not told:
                report_progress(WAITING)
                told = True
            await asyncio.sleep(LOOK_AGAIN)
            if (kept := await self.kept(principal, piece)) is not None:
                return kept

    async def kept(self, principal: Principal, piece: DigestKey) -> StoredDigest | None:
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await store.find(uow, piece.key, [piece.part], piece.asked, piece.model, now() - STOOD_IN)
        return found.get(piece.part)

    @contextlib.asynccontextmanager
    async def _held(self, principal: Principal, piece: DigestKey) -> AsyncIterator[bool]:
        claim_id, worker_id = new_id(), await self._db.worker_id()

        async def take() -> bool:
            async with self._db.unit_of_work(principal.actor) as uow:
                return await store.claim(uow, piece, worker_id, claim_id)

        try:
            # Cancelled in the middle, it would not be known whether we have it.
            yield await to_its_end(take())
        finally:
            if not await to_its_end(self._release(principal, piece, claim_id)):
                releasing = asyncio.create_task(self._release_later(principal, piece, claim_id))
                self._releasing.add(releasing)
                releasing.add_done_callback(self._releasing.discard)

    async def _release(self, principal: Principal, piece: DigestKey, claim_id: UUID) -> bool:
        try:
            async with self._db.unit_of_work(UserActor(principal.mandate_id)) as uow:
                await store.release(uow, piece, claim_id)
        except (Conflict, DatabaseUnavailable):
            return False
        return True

    async def _release_later(self, principal: Principal, piece: DigestKey, claim_id: UUID) -> None:
        """It would be held as long as this process lives."""
        while not await self._release(principal, piece, claim_id):  # noqa: ASYNC110
            await asyncio.sleep(RELEASE_AGAIN)
