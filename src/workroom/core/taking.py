"""Work that waits in rows, taken a few at a time: by a bell when something is new, by a look around when a bell was lost.

Whoever takes something holds it; holding is renewed while it is worked on, and given back when the process ends. So nothing
is lost with a process, and nothing is done by two for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from workroom.core.errors import Conflict, DatabaseUnavailable

log = logging.getLogger(__name__)

LOOK_SECONDS = 10.0
HOLD_SECONDS = 1.0


class Owned(Protocol):
    """Work for somebody."""

    @property
    def mandate_id(self) -> UUID: ...

    @property
    def owner_id(self) -> UUID: ...


T = TypeVar("T", bound=Owned)


@dataclass(frozen=True)
class Load:
    """Whose tasks are running here when one more is claimed, one entry for each, and whether it gets the last free place."""

    mandates: Sequence[UUID] = ()
    owners: Sequence[UUID] = ()
    is_last_place: bool = False


NOTHING = Load()


class Job(Protocol[T]):
    """One kind of work. The methods may raise DatabaseUnavailable and Conflict: then somebody tries again later."""

    @property
    def name(self) -> str: ...

    async def claim(self, load: Load = NOTHING) -> T | None:
        """The next thing to do, held by us from now on. Fair to those who have less running than others (db/fair_claims.py)."""
        ...

    async def hold(self, task: T) -> bool:
        """Hold it for longer. False when nobody wants it any more."""
        ...

    async def work(self, task: T) -> None: ...

    async def give_back(self, task: T) -> None:
        """Somebody else may take it at once."""
        ...


class Taker(Generic[T]):
    def __init__(self, job: Job[T], at_once: int = 1) -> None:
        self._job, self._at_once = job, at_once
        self._busy: dict[asyncio.Task[None], T] = {}
        self._bell, self._stop = asyncio.Event(), asyncio.Event()

    async def rung(self, _: bytes = b"") -> None:
        """The queue's handler: something is new."""
        self._bell.set()

    async def run(self) -> None:
        """Until `close`."""
        while not self._stop.is_set():
            self._bell.clear()  # before looking, not after: who rings in between is heard
            try:
                while len(self._busy) < self._at_once and (task := await self._job.claim(self._load())) is not None:
                    self._begin(task)
            except (Conflict, DatabaseUnavailable):
                pass  # the next look is soon
            except Exception:
                log.exception("what waits could not be found", extra={"job": self._job.name})
            await self._wait()

    async def close(self) -> None:
        """What is being worked on goes back to the others."""
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
        await asyncio.wait(waiting, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        ringing.cancel()

    def _load(self) -> Load:
        running = self._busy.values()
        is_last = 1 < self._at_once == len(running) + 1
        return Load([task.mandate_id for task in running], [task.owner_id for task in running], is_last)

    def _begin(self, task: T) -> None:
        begun = asyncio.create_task(self._hold_and_work(task), name=self._job.name)
        self._busy[begun] = task
        begun.add_done_callback(self._busy.pop)

    async def _hold_and_work(self, task: T) -> None:
        working = asyncio.create_task(self._job.work(task))
        try:
            while not working.done():
                await asyncio.wait({working}, timeout=HOLD_SECONDS)
                if not working.done() and not await self._is_wanted(task):
                    await _end(working)
                    return await self._give_back(task)  # it may be wanted again before our hold lapses
            await working
        except asyncio.CancelledError:
            await _end(working)
            await self._give_back(task)
            raise
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("work waits for another try", extra={"job": self._job.name, "reason": error.message})
        except Exception:
            log.exception("work failed", extra={"job": self._job.name})

    async def _is_wanted(self, task: T) -> bool:
        try:
            return await self._job.hold(task)
        except (Conflict, DatabaseUnavailable):
            return True

    async def _give_back(self, task: T) -> None:
        try:
            await self._job.give_back(task)
        except (Conflict, DatabaseUnavailable):
            log.warning("work could not be given back; its hold will lapse", extra={"job": self._job.name})


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})


class Takers:
    """Several that hear the same bell: each has places of its own, so none waits for what another takes."""

    def __init__(self, *takers: Taker[T]) -> None:
        self._takers = takers

    async def rung(self, _: bytes = b"") -> None:
        for taker in self._takers:
            await taker.rung()

    async def run(self) -> None:
        await asyncio.gather(*(taker.run() for taker in self._takers))

    async def close(self) -> None:
        await asyncio.gather(*(taker.close() for taker in self._takers))
