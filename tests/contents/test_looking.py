"""Files that were stored are looked into in the background, once each, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.contents.room import numbered_pdf
from tests.documents.containers.hostile import zipped
from tests.files.sending import make
from tests.lapsing import time_passes
from tests.world import World
from workroom.contents import scanning
from workroom.contents.content_cache import ContentCache
from workroom.contents.parts import PartSelection
from workroom.contents.runtime import open_content_cache
from workroom.contents.scanning import ScanWork, forget_unused
from workroom.core.clock import now
from workroom.db.work_scheduler import WorkScheduler
from workroom.files.disk import DiskBlobStore
from workroom.files.errors import ContentMissing
from workroom.files.jobs import sweep_blobs
from workroom.files.types import File, FileStatus


@asynccontextmanager
async def scanner(world: World, at_once: int = 2) -> AsyncIterator[ContentCache]:
    services = world.services
    async with open_content_cache(services.settings, services.db, services.files) as reader:
        work = ScanWork(services.db, services.files, reader)
        made = WorkScheduler(work, at_once, poll_seconds=0.05, check_seconds=0.05)
        running = asyncio.create_task(made.run())
        try:
            yield reader
        finally:
            await made.close()
            await running


async def until_active(world: World, *files: File) -> None:
    bob = world["bob"].principal
    with world.services.changes.subscribe() as inbox:
        async with asyncio.timeout(60):
            for file in files:
                while (await world.services.files.get(bob, file.id)).status is not FileStatus.ACTIVE:
                    await inbox.take(5)


@pytest.mark.requirement("J1")
async def test_every_file_is_looked_into_and_then_active(world: World) -> None:
    files = [
        await make(world, "bob", "report.pdf", numbered_pdf(3)),
        await make(world, "bob", "project.zip", zipped({"a.txt": b"one"})),
        await make(world, "bob", "broken.pdf", b"%PDF-1.7 nothing"),
        await make(world, "bob", "twin.pdf", numbered_pdf(3)),
    ]
    assert {file.status for file in files} == {FileStatus.PROCESSING}
    async with scanner(world) as reader:
        await until_active(world, *files)
        assert reader.counts["scans"] == 3, "equal content is looked into once"
    reading = await world.services.reader.reading(
        world["bob"].principal, await world.services.reader.place(world["bob"].principal, files[0].id)
    )
    assert reading.structure is not None
    assert world.services.reader.counts.get("scans", 0) == 0, "what the worker found is there for everybody"


async def test_what_a_restart_interrupts_is_looked_into_afterwards(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await make(world, "bob", "report.pdf", numbered_pdf(3))
    begun = asyncio.Event()

    async def hang(self: ContentCache, place: object, lane: str) -> None:
        begun.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(ContentCache, "content", hang)
        async with scanner(world):
            await asyncio.wait_for(begun.wait(), 60)
    assert (await world.services.files.get(world["bob"].principal, file.id)).status is FileStatus.PROCESSING
    async with scanner(world) as reader:
        await until_active(world, file)
        assert reader.counts["scans"] == 1


async def test_deleting_a_file_ends_the_look_into_it_and_restoring_it_begins_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await make(world, "bob", "report.pdf", numbered_pdf(3))
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(self: ContentCache, place: object, lane: str) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with monkeypatch.context() as patched:
        patched.setattr(ContentCache, "content", hang)
        async with scanner(world) as reader:
            await asyncio.wait_for(begun.wait(), 60)
            await world.services.files.delete(world["bob"].principal, file.id)
            await asyncio.wait_for(ended.wait(), 60)
            patched.undo()
            await world.services.files.restore(world["bob"].principal, file.id)
            await until_active(world, file)
            assert reader.counts["scans"] == 1, "the one after it was restored"


async def test_a_file_restored_before_anybody_looked_into_it_waits_for_nobody(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    file = await make(world, "bob", "report.pdf", numbered_pdf(3))
    async with open_content_cache(services.settings, services.db, services.files) as reader:
        job = ScanWork(services.db, services.files, reader)
        first = await job.claim()
        assert first is not None
        await services.files.delete(bob, file.id)
        await job.work(first)
        await services.files.restore(bob, file.id)
        again = await job.claim()
        assert again is not None
        assert again.tries == first.tries, "the try that came to nothing does not count"
        await job.release(first)
        assert await job.claim() is None, "only who holds it gives it back"


async def test_a_file_that_can_never_be_opened_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "LATER", timedelta(0))
    file = await make(world, "bob", "report.pdf", numbered_pdf(3))
    tries = 0

    async def missing(self: ContentCache, place: object, lane: str) -> None:
        nonlocal tries
        tries += 1
        raise ContentMissing

    monkeypatch.setattr(ContentCache, "content", missing)
    async with scanner(world, at_once=1):
        await until_active(world, file)
    assert tries == scanning.MOST_TRIES


async def test_contents_go_with_the_last_file_that_had_them(world: World, tmp_path: Path) -> None:
    services, bob = world.services, world["bob"].principal
    file = await make(world, "bob", "project.zip", zipped({"a.md": b"# Hello"}))
    place = await services.reader.place(bob, file.id, "a.md")
    await services.reader.passages(bob, place, PartSelection())
    await services.files.delete(bob, file.id)
    await services.files.delete(bob, file.id, forever=True)

    async def count() -> int:
        async with services.db.unit_of_work(bob.actor) as uow:
            return int(await uow.fetchval("select count(*) from contents"))

    assert await count() == 2
    later = now() + timedelta(days=3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("workroom.files.jobs.now", lambda: later)
        patched.setattr(scanning, "now", lambda: later)
        await forget_unused(services.db)
        assert await count() == 2, "as long as the bytes are there"
        await sweep_blobs(services.db, DiskBlobStore(services.settings.blobs))
        await forget_unused(services.db)
        assert await count() == 1, "the archive goes first, its members with it"
        await forget_unused(services.db)
        assert await count() == 0


async def test_a_look_that_breaks_each_time_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file does not stay `processing` for ever."""
    services = world.services
    file = await make(world, "bob", "a.txt", b"hello")
    job = ScanWork(services.db, services.files, services.reader._reader)

    async def broken(*_: object) -> None:
        raise ValueError("nobody has thought of this")

    monkeypatch.setattr(services.reader._reader, "content", broken)
    for _ in range(6):
        await time_passes(world, "files", hours=1)
        if (task := await job.claim()) is not None:
            await WorkScheduler(job)._work_on(task)
    assert (await services.files.get(world["bob"].principal, file.id)).status == "active"
