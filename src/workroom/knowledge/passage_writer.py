"""A file's passages, stored some at a time while the rest of it is still being read: its first pages are found at once.

They take the place of what was there with the first of them. What says the same as before, wherever it stands by now, keeps its
vector: it was paid for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from workroom.core import threaded
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.db import Database, UnitOfWork
from workroom.knowledge.kept_vectors import KeptVectors
from workroom.knowledge.languages import configuration
from workroom.knowledge.store import passages, recognitions, states, vectors
from workroom.knowledge.tasks import IndexTask, announce, hold
from workroom.knowledge.types import Chunk, IndexState

MOST_CHUNKS = 20_000  # of one file
FIRST_STORED = 100  # of a document that is still being read; what is shorter is stored at its end
STORED_AT_ONCE = (
    250  # at least; as many as there are already, or words that many passages have would be written again and again
)
SAMPLES = 20  # passages whose language is that of the file


class PassageWriter:
    """`stored`: how many passages can be found, with so many `text_bytes`. `is_cut`: there were more than can be kept."""

    def __init__(self, db: Database, task: IndexTask, *, first: int = FIRST_STORED) -> None:
        self._db, self._task, self._at_once = db, task, first
        self._waiting: list[Chunk] = []
        self._kept = KeptVectors({})
        self._language: str | None = None
        self._sample: list[str] = []
        self.stored, self.text_bytes, self.is_cut = 0, 0, False

    async def add(self, chunks: Sequence[Chunk]) -> bool:
        """Whether there is more to be found now. Raises IndexTaskGone."""
        room = MOST_CHUNKS - self.stored - len(self._waiting)
        self._waiting += chunks[:room]
        self.is_cut = self.is_cut or len(chunks) > room
        if len(self._waiting) < self._at_once:
            return False
        async with self._held() as uow:
            await self._store(uow)
        self._at_once = max(STORED_AT_ONCE, self.stored)
        return True

    async def finish(self, notes: Sequence[str], unread: int, recognised: int) -> None:
        """That was all; what an earlier reading found beyond it goes. `unread` pages are pictures. Raises IndexTaskGone."""
        mandate_id, file_id = self._task.mandate_id, self._task.file_id
        async with self._held() as uow:
            if self._waiting or not self.stored:
                await self._store(uow)
            if (language := await self._detect_language()) != self._language:
                # The first pages of it were in another one.
                await passages.set_language(uow, mandate_id, self._task.instance_id, file_id, language)
            await vectors.forget(uow, mandate_id, file_id, self.stored, vectors.LAST)
            await passages.note(uow, mandate_id, file_id, notes)
            await recognitions.note(uow, mandate_id, file_id, unread, recognised)
            state = IndexState.EMBEDDING if self.stored else IndexState.EXTRACTED
            await states.progress(uow, mandate_id, file_id, state, 0, self.stored, now())

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[UnitOfWork]:
        async with self._db.unit_of_work(UserActor(self._task.mandate_id)) as uow:
            await hold(uow, self._task)
            yield uow
            await announce(uow, self._task)

    async def _store(self, uow: UnitOfWork) -> None:
        """A unit of work that fails ends the whole reading of the file: nothing has to be taken back here."""
        task, chunks, start = self._task, self._waiting, self.stored
        mandate_id, file_id, end = task.mandate_id, task.file_id, start + len(chunks)
        self._sample += [chunk.text for chunk in chunks[:: max(1, len(chunks) // SAMPLES)]]
        self._language = self._language or await self._detect_language()
        if not start:
            self._kept = KeptVectors(await passages.digests(uow, mandate_id, file_id))
            # What an unfinished write has left aside.
            await vectors.forget(uow, mandate_id, file_id, vectors.ASIDE, vectors.LAST)
            await passages.clear(uow, mandate_id, file_id)
        await self._kept.move(uow, mandate_id, file_id, start, await threaded.each(passages.digest, chunks))
        await passages.append(uow, mandate_id, task.instance_id, file_id, start, chunks, self._language)
        self.stored, self._waiting = end, []
        self.text_bytes += sum(len(chunk.text) for chunk in chunks)

    async def _detect_language(self) -> str:
        """The language of what has come so far."""
        sample = self._sample[:: max(1, len(self._sample) // SAMPLES)]
        return await asyncio.to_thread(configuration, "\n".join(sample))
