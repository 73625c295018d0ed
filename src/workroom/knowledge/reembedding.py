"""A file that is in the index gets the vectors of another model: made beside the old ones from the passages that are stored,
and exchanged for them in one transaction when the last is there. Until then the old ones are searched.

Vectors that were made stay, whatever comes between: a new file that goes first, a process that dies, an exhausted budget.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import WorkroomError
from workroom.db import Database
from workroom.knowledge.chunk_embedding import ChunkEmbedding
from workroom.knowledge.outdated_vectors import OutdatedVectors, keep_old
from workroom.knowledge.ports import Embedders, People
from workroom.knowledge.store import renewals, states, vectors
from workroom.knowledge.tasks import IndexTask, announce, hold
from workroom.models.embeddings.ports import Embedder, EmbedderInfo

PAUSE = timedelta(minutes=1)  # doubled with every time it goes wrong
LONGEST_PAUSE = timedelta(hours=6)


class Reembedding:
    """`counts` what was really done: embedded, copied, renewed."""

    def __init__(self, db: Database, embedders: Embedders, people: People, counts: Counter[str]) -> None:
        self._db, self._embedders, self._people, self.counts = db, embedders, people, counts
        self._embedding = ChunkEmbedding(db, counts)
        self._outdated = OutdatedVectors(db, embedders, people)

    async def renew(self, task: IndexTask) -> bool:
        """False: a new file goes first, the rest comes later. Raises IndexTaskGone, and what keeps the model from answering."""
        owner = await self._people.as_user(task.mandate_id, task.owner_id)
        embedder = None if owner is None else await self._embedders.embedder(owner, task.instance_id)
        if embedder is None or embedder.info.ref != task.wanted:
            async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                await hold(uow, task)
                await keep_old(uow, task.mandate_id, [task.file_id])
            await self._outdated.notice(task.mandate_id)  # something else is wanted by now
            return True
        return await self._with(task, embedder)

    async def postpone(self, task: IndexTask, error: WorkroomError) -> None:
        """It stays with the old vectors, says why, and is tried again."""
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if await renewals.postpone(
                uow,
                task.mandate_id,
                task.file_id,
                task.epoch,
                error.code,
                error.message,
                now(),
                PAUSE,
                LONGEST_PAUSE,
            ):
                await announce(uow, task)

    async def _with(self, task: IndexTask, embedder: Embedder) -> bool:
        await self._copy(task, embedder.info)
        if not await self._embedding.embed(task, embedder, self._may_go_on):
            return False
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await vectors.clear(uow, task.mandate_id, task.file_id, but=embedder.info)
            await states.finish(uow, task.mandate_id, task.file_id, task.version, embedder.info, now())
            await announce(uow, task)
        self.counts["renewed"] += 1
        return True

    async def _copy(self, task: IndexTask, info: EmbedderInfo) -> None:
        """What a file of equal content has already is not paid for again."""
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            twin = await states.twin(uow, task.mandate_id, task.file_id, task.hash, task.media_type, info)
            if twin is not None:
                where = (task.mandate_id, task.instance_id, task.file_id, twin)
                await vectors.copy_equal(uow, *where, info.ref, info.dimensions)

    async def _may_go_on(self) -> bool:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return not await states.is_anything_new(uow)
