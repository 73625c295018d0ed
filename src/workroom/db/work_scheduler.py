"""The scheduler of leased work: claims rows of one kind, works on a few at a time, and releases what it does not finish.

It claims when it is woken, when something has ended, and now and then without being told, because wake-ups may be lost and
workers may die. Runs, scans of files, indexing and evaluations are scheduled by this one class.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db.admission import ALWAYS_OPEN, Admission

log = logging.getLogger(__name__)

POLL_SECONDS = 10.0
CHECK_SECONDS = 1.0
BATCH_SECONDS = 0.1  # after a full batch: what it costs shows only now


class Owned(Protocol):
    """Work for a person of an organisation."""

    @property
    def mandate_id(self) -> UUID: ...

    @property
    def owner_id(self) -> UUID: ...


T = TypeVar("T", bound=Owned)


@dataclass(frozen=True)
class Load:
    """What a scheduler has running when it claims: organisation and owner of each task, how many more it takes, and whether
    that fills its last free slot."""

    mandates: Sequence[UUID] = ()
    owners: Sequence[UUID] = ()
    is_last_slot: bool = False
    most: int = 1


EMPTY_LOAD = Load()


class Work(Protocol[T]):
    """One kind of work. The methods may raise DatabaseUnavailable and Conflict: then it is tried again later."""

    @property
    def name(self) -> str: ...

    async def take(self, load: Load) -> Sequence[T]:
        """Claims up to `load.most` tasks, in fair order."""
        ...

    async def is_wanted(self, task: T) -> bool:
        """Whether the lease is still ours and the work still wanted."""
        ...

    async def work(self, task: T) -> None: ...

    async def release(self, task: T) -> None:
        """Another worker may take it at once, and this try does not count."""
        ...

    async def release_failed(self, task: T) -> None:
        """The work has failed, and this try counts. Nothing happens if the lease is not ours any more."""
        ...


class WorkScheduler(Generic[T]):
    """`at_once`: how many tasks at most; `batch`: how many are claimed by one statement; `poll_seconds`: how often without being
    woken; `check_seconds`: how often it is asked whether a task is still wanted, None: never; `admission`: whether the process
    can carry more."""

    def __init__(
        self,
        work: Work[T],
        at_once: int = 1,
        *,
        batch: int = 1,
        poll_seconds: float | None = None,
        check_seconds: float | None = CHECK_SECONDS,
        admission: Admission = ALWAYS_OPEN,
    ) -> None:
        self._work, self._at_once, self._batch = work, at_once, batch
        self._poll_seconds = POLL_SECONDS if poll_seconds is None else poll_seconds
        self._check_seconds, self._admission = check_seconds, admission
        self._running: dict[asyncio.Task[None], T] = {}
        self._unreleased: list[T] = []
        self._wake, self._stop = asyncio.Event(), asyncio.Event()

    def wake(self, _payload: str = "") -> None:
        """Something is new. What that is does not matter: whose turn it is, is in the rows."""
        self._wake.set()

    async def run(self) -> None:
        """Until `close`."""
        while not self._stop.is_set():
            self._wake.clear()  # before looking, not after: a wake-up in between is heard
            try:
                await self._release_again()
                await self._fill_slots()
            except (Conflict, DatabaseUnavailable):
                pass  # the next time is soon
            except Exception:
                log.exception("work could not be claimed", extra={"work": self._work.name})
            await wait_for(self._wake, self._poll_seconds)

    async def close(self) -> None:
        """What is being worked on goes back to the other workers."""
        self._stop.set()
        self._wake.set()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    async def _fill_slots(self) -> None:
        """A process that can carry no more goes on with what it has; one that has nothing takes something."""
        while not self._stop.is_set() and (free := self._at_once - len(self._running)) > 0:
            if self._running and not self._admission.is_open:
                return
            most = min(free, self._batch)
            tasks = await self._work.take(self._load(most))
            for task in tasks:
                self._begin(task)
            if len(tasks) < most:
                return
            if self._batch > 1 and await wait_for(self._stop, BATCH_SECONDS):
                return

    def _load(self, most: int) -> Load:
        running = self._running.values()
        is_last = 1 < self._at_once == len(running) + 1
        return Load([task.mandate_id for task in running], [task.owner_id for task in running], is_last, most)

    def _begin(self, task: T) -> None:
        begun = asyncio.create_task(self._work_on(task), name=self._work.name)
        self._running[begun] = task
        begun.add_done_callback(self._ended)

    def _ended(self, begun: asyncio.Task[None]) -> None:
        del self._running[begun]
        self._wake.set()

    async def _work_on(self, task: T) -> None:
        working = asyncio.create_task(self._work.work(task), name=self._work.name)
        try:
            while not working.done():
                await asyncio.wait({working}, timeout=self._check_seconds)
                if not working.done() and not await self._is_wanted(task):
                    await _end(working)
                    return await self._release(task)  # it may be wanted again
            await working
        except asyncio.CancelledError:
            await _end(working)
            await self._release(task)
            raise
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("work waits for another try", extra={"work": self._work.name, "reason": error.message})
            await self._release_failed(task)
        except Exception:
            log.exception("work failed", extra={"work": self._work.name})
            await self._release_failed(task)

    async def _is_wanted(self, task: T) -> bool:
        try:
            return await self._work.is_wanted(task)
        except (Conflict, DatabaseUnavailable):
            return True

    async def _release(self, task: T) -> None:
        try:
            await self._work.release(task)
        except (Conflict, DatabaseUnavailable):
            self._unreleased.append(task)

    async def _release_failed(self, task: T) -> None:
        try:
            await self._work.release_failed(task)
        except (Conflict, DatabaseUnavailable):
            self._unreleased.append(task)

    async def _release_again(self) -> None:
        """What could not be released would be held as long as this process lives."""
        while self._unreleased:
            await self._work.release_failed(self._unreleased[0])
            del self._unreleased[0]


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})


class WorkSchedulers:
    """Several that are woken together: each has places of its own, so none waits for what another takes."""

    def __init__(self, *schedulers: WorkScheduler[T]) -> None:
        self._schedulers = schedulers

    def wake(self, _payload: str = "") -> None:
        for scheduler in self._schedulers:
            scheduler.wake()

    async def run(self) -> None:
        await asyncio.gather(*(scheduler.run() for scheduler in self._schedulers))

    async def close(self) -> None:
        await asyncio.gather(*(scheduler.close() for scheduler in self._schedulers))
