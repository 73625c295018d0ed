"""A workspace whose files are searchable: looked into and indexed at once, without a worker beside."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.files.sending import make
from tests.world import World
from workroom.contents.content_cache import ContentCache
from workroom.contents.runtime import open_content_cache
from workroom.contents.scanning import ScanWork
from workroom.files.types import File
from workroom.identity.types import Principal
from workroom.knowledge.indexer import IndexWork
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.outdated_vectors import OutdatedVectors
from workroom.knowledge.recognition import Recognition
from workroom.knowledge.reembedding import Reembedding
from workroom.knowledge.search import Search
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import IndexStatus, Passage, Query
from workroom.models.embeddings.ports import Embedder


@dataclass
class OneEmbedder:
    """The same for everybody."""

    made: Embedder
    others: list[Embedder] = field(default_factory=list)  # those that counted before and can still be asked

    async def embedder(self, principal: Principal, instance_id: UUID) -> Embedder:
        return self.made

    async def named(self, principal: Principal, instance_id: UUID, ref: str) -> Embedder | None:
        return next((one for one in self.others if one.info.ref == ref), None)

    def choose(self, embedder: Embedder) -> None:
        self.others.append(self.made)
        self.made = embedder


@dataclass
class Library:
    world: World
    job: IndexWork
    indexing: Indexing
    embedders: OneEmbedder
    scanner: ScanWork
    outdated: OutdatedVectors
    reader: ContentCache

    @property
    def search(self) -> Search:
        return Search(self.world.services.db, self.embedders)

    async def put(self, name: str, content: str | bytes, person: str = "bob", **more: Any) -> File:
        data = content.encode() if isinstance(content, str) else content
        file = await make(self.world, person, name, data, **more)
        await self.settle()
        return file

    async def settle(self) -> None:
        """Until nothing is left to do."""
        while (look := await self.scanner.claim()) is not None:
            await self.scanner.work(look)
        while (task := await self.job.claim()) is not None:
            await self.job.work(task)

    async def find(self, text: str, person: str = "bob", slug: str = "lab", **more: Any) -> list[Passage]:
        query = Query(text, self.world.instances[slug].id, **more)
        return await self.search.find(self.world[person].principal, query)

    async def names(self, text: str, person: str = "bob", **more: Any) -> list[str]:
        return [passage.file_name for passage in await self.find(text, person, **more)]


@asynccontextmanager
async def library(world: World, embedder: Embedder, by_itself: int = 0) -> AsyncIterator[Library]:
    services = world.services
    async with open_content_cache(services.settings, services.db, services.files) as reader:
        embedders = OneEmbedder(embedder)
        indexing = Indexing(services.db, services.files, reader, embedders, services.sign_in, by_itself)
        scanner = ScanWork(services.db, services.files, reader)
        renewing = Reembedding(services.db, embedders, services.sign_in, indexing.counts)
        outdated = OutdatedVectors(services.db, embedders, services.sign_in)
        job = IndexWork(services.db, indexing, renewing, Recognition(services.db, services.files, reader))
        yield Library(world, job, indexing, embedders, scanner, outdated, reader)


def zipped(names: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return made.getvalue()


async def status(shelf: Library, file_id: UUID, person: str = "bob") -> IndexStatus:
    knowledge = Knowledge(shelf.world.services.db, shelf.world.services.files, shelf.embedders)
    return await knowledge.status(shelf.world[person].principal, file_id)


async def count(world: World, table: str) -> int:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        return int(await uow.fetchval(f"select count(*) from {table}"))
