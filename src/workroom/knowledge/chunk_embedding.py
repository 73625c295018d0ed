"""Vectors for the passages of one file, batch by batch, each kept with what it cost: what is paid for is not lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from workroom.core.actors import UserActor
from workroom.db import Database
from workroom.knowledge.store import states, vectors
from workroom.knowledge.tasks import IndexTask, hold, progress_reporter
from workroom.knowledge.types import IndexState
from workroom.models.embeddings.ports import Embedder

LOOKED_UP = 8  # batches: finding out what is missing takes as long as storing one


async def _always() -> bool:
    return True


class ChunkEmbedding:
    def __init__(self, db: Database, counts: Counter[str]) -> None:
        self._db, self._counts = db, counts

    async def embed(
        self,
        task: IndexTask,
        embedder: Embedder,
        goes_on: Callable[[], Awaitable[bool]] = _always,
        *,
        quiet: bool = False,
    ) -> bool:
        """Until every passage has its vector of this model; False when `goes_on` ended it before, between two batches.
        `quiet`: the file is still being read, and how far that is counts."""
        info = embedder.info
        report_progress = progress_reporter(self._db, task, IndexState.EMBEDDING)
        while True:
            async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                await hold(uow, task)
                left, waiting = await vectors.missing(
                    uow, task.mandate_id, task.file_id, info.ref, info.dimensions, info.batch * LOOKED_UP
                )
                total = await states.chunks(uow, task.mandate_id, task.file_id)
            if not waiting:
                return True
            for start in range(0, len(waiting), info.batch):
                batch = waiting[start : start + info.batch]
                await self._add(task, embedder, batch)
                left -= len(batch)
                if not quiet:
                    await report_progress(total - left, total)
                if left and not await goes_on():
                    return False
            if not left:
                return True

    async def _add(self, task: IndexTask, embedder: Embedder, batch: Sequence[tuple[int, str]]) -> None:
        made = await embedder.embed([text for _, text in batch])
        self._counts["embedded"] += len(batch)
        numbered = [(chunk, vector) for (chunk, _), vector in zip(batch, made.vectors, strict=True)]
        if made.cost:  # whatever becomes of the vectors
            async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                await states.spend(uow, task.mandate_id, task.file_id, made.cost, assumed=made.assumed)
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)  # or these would be the vectors of what a newer version says
            await vectors.add(uow, task.mandate_id, task.instance_id, task.file_id, embedder.info.ref, numbered)
