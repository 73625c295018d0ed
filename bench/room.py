"""A workspace on a PostgreSQL of its own, thrown away afterwards: where benches of knowledge take place."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
from tests.knowledge.room import Library, library
from tests.world import make_world

from workroom.bootstrap.server import open_services
from workroom.db.connection import connect
from workroom.db.testing import TestPostgres
from workroom.models.embeddings.ports import Embedder
from workroom.models.embeddings.static import StaticEmbedder
from workroom.settings import Settings


@dataclass(frozen=True)
class Room:
    """`admin` sees every row: row-level security is not for it."""

    shelf: Library
    admin: asyncpg.Connection[Any]


@asynccontextmanager
async def opened(postgres: TestPostgres, data: Path, embedder: Embedder | None = None) -> AsyncIterator[Room]:
    address, settings = await postgres.fresh(), Settings(data=data, login="password")
    assert address.administration is not None
    admin = await connect(address.administration)
    await admin.execute("set search_path = workroom, public")
    try:
        async with (
            open_services(settings, address, settings.port) as services,
            library(await make_world(services), embedder or StaticEmbedder()) as shelf,
        ):
            yield Room(shelf, admin)
    finally:
        await admin.close()
        await postgres.drop(address)


@asynccontextmanager
async def server() -> AsyncIterator[tuple[TestPostgres, Path]]:
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name)
        await asyncio.to_thread(folder.chmod, 0o755)  # PostgreSQL may run as somebody else
        postgres = TestPostgres(folder / "postgres")
        await postgres.start()
        try:
            yield postgres, folder
        finally:
            await postgres.stop()
