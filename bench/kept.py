"""What is kept of a document in the database, beside its own size: after a look, and after it was read whole."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import asyncpg
from tests.documents.corpus import ROOT
from tests.files.sending import pieces
from tests.world import make_world

from bench.lines import Line
from bench.structure import DOCX, PDF, Long
from workroom.bootstrap.server import open_services
from workroom.db.connection import connect
from workroom.db.testing import TestPostgres
from workroom.files.types import NewFile
from workroom.settings import Settings

MB = 1e6
TABLES = ("contents", "content_parts", "content_objects", "content_members")


def lines(folder: Path) -> Iterator[Line]:
    if not (ROOT / PDF.path).is_file():
        return
    for document in (PDF, DOCX):
        own, looked, read, objects = asyncio.run(_measure(folder / document.kind, document))
        yield Line(f"{document.pages} pages of {document.kind.upper()}: the file", own / MB, "MB")
        yield Line("  kept after a look", looked / MB, "MB", note="rows with their indexes")
        yield Line("  kept of everything", read / MB, "MB", note=f"{objects:,} objects")


async def _measure(folder: Path, document: Long) -> tuple[int, int, int, int]:
    postgres = TestPostgres(folder / "postgres")
    await postgres.start()
    try:
        address, settings = await postgres.fresh(), Settings(data=folder / "data", login="password")
        admin = await connect(address.administration or "")
        async with open_services(settings, address, settings.port) as services:
            world = await make_world(services)
            principal, data = world["bob"].principal, await asyncio.to_thread((ROOT / document.path).read_bytes)
            empty = await _size(admin)
            new = NewFile(f"long.{document.kind}")
            file = await services.files.store(principal, world.instances["lab"].id, new, pieces(data))
            place = await services.reader.place(principal, file.id)
            await services.reader.reading(principal, place)
            looked = await _size(admin) - empty
            await services.reader.read_whole(principal, place)
            read = await _size(admin) - empty
            index = await services.reader.index(principal, file.id)
        await admin.close()
        return len(data), looked, read, index.total_objects
    finally:
        await postgres.stop()


async def _size(admin: asyncpg.Connection[asyncpg.Record]) -> int:
    total = " + ".join(f"pg_total_relation_size('workroom.{table}')" for table in TABLES)
    return int(await admin.fetchval(f"select {total}"))
