"""One who asks at a time: whatever process a question comes from, a model is paid once for what is kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.core.waiting import to_its_end
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.knowledge.digests import store
from workroom.knowledge.digests.types import Kept, Piece

HELD = timedelta(seconds=30)  # so long others wait for a process that died
RENEWED = 10.0  # seconds
LOOK_AGAIN = 0.5  # seconds; other processes do not tell us when they are done
STOOD_IN = timedelta(
    hours=1
)  # so long an answer counts that another model gave; then the one that is meant is asked again

WAITING = "Somebody else is asking the same just now"


class Claims:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def once(
        self,
        who: Principal,
        piece: Piece,
        turns: asyncio.Semaphore,
        make: Callable[[], Awaitable[Kept]],
        tell: Callable[[str], None],
    ) -> Kept:
        """What somebody else has made meanwhile, or what we make of it. Whoever waits leaves its turn to others. What `make`
        raises is ours alone: the next one tries for themselves."""
        told = False
        while True:
            async with turns, self._held(who, piece) as ours:
                if ours:
                    return await self.kept(who, piece) or await make()
            if not told:
                tell(WAITING)
                told = True
            await asyncio.sleep(LOOK_AGAIN)
            if (kept := await self.kept(who, piece)) is not None:
                return kept

    async def kept(self, who: Principal, piece: Piece) -> Kept | None:
        async with self._db.unit_of_work(who.actor) as uow:
            found = await store.find(uow, piece.key, [piece.part], piece.asked, piece.model, now() - STOOD_IN)
        return found.get(piece.part)

    @contextlib.asynccontextmanager
    async def _held(self, who: Principal, piece: Piece) -> AsyncIterator[bool]:
        holder, moment = new_id(), now()

        async def take() -> bool:
            async with self._db.unit_of_work(who.actor) as uow:
                return await store.claim(uow, piece, holder, moment, moment + HELD)

        async def renew() -> None:
            while True:
                await asyncio.sleep(RENEWED)
                with contextlib.suppress(Conflict, DatabaseUnavailable):  # the next time, or it lapses
                    async with self._db.unit_of_work(who.actor) as uow:
                        await store.renew(uow, piece, holder, now() + HELD)

        async def release() -> None:
            with contextlib.suppress(Conflict, DatabaseUnavailable):  # then it lapses
                async with self._db.unit_of_work(who.actor) as uow:
                    await store.release(uow, piece, holder)

        renewing: asyncio.Task[None] | None = None
        try:
            # Cancelled in the middle, nobody would know whether we have it.
            if ours := await to_its_end(take()):
                renewing = asyncio.create_task(renew())
            yield ours
        finally:
            if renewing is not None:
                renewing.cancel()
                await asyncio.wait([renewing])
            await to_its_end(release())
