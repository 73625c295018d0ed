"""Whose file is looked into next, and what becomes of those that take long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import chain
from uuid import UUID

import pytest

from tests.files.sending import make, store
from tests.world import World
from workroom.contents.content_cache import ContentCache
from workroom.contents.runtime import open_content_cache
from workroom.contents.scanning import ScanWork
from workroom.contents.types import KnownContent, StoredDocument
from workroom.core.actors import SystemActor
from workroom.db.work_scheduler import EMPTY_LOAD, Load, WorkScheduler, WorkSchedulers
from workroom.files import scans
from workroom.files.types import File, FileStatus, NewFile


@pytest.fixture
async def reader(world: World) -> AsyncIterator[ContentCache]:
    services = world.services
    async with open_content_cache(services.settings, services.db, services.files) as made:
        yield made


async def copies(world: World, file: File, person: str, count: int, minutes: int = 0) -> None:
    """So many more of that file, stored by that person, so much later."""
    async with world.services.db.unit_of_work(world[person].principal.actor) as uow:
        await uow.execute(
            "insert into files (mandate_id, file_id, instance_id, owner_id, name, version, hash, size, media_type, created_at,"
            " updated_at) select mandate_id, gen_random_uuid(), instance_id, $3, $5 || n || '.txt', 1, hash, size, media_type,"
            " created_at + $6 * interval '1 minute' + n * interval '1 microsecond', updated_at from files,"
            " generate_series(1, $4) as n where mandate_id = $1 and file_id = $2",
            world[person].principal.mandate_id,
            file.id,
            world[person].user.id,
            count,
            f"{minutes} ",
            minutes,
        )


async def claimed(world: World, count: int, load: Load = EMPTY_LOAD, **more: bool) -> list[str]:
    """By name, whose files are claimed one after the other."""
    people: dict[UUID, str] = {person.user.id: name for name, person in world.people.items()}
    found, worker_id = list[str](), await world.services.db.worker_id()
    for _ in range(count):
        async with world.services.db.unit_of_work(SystemActor.SWEEP) as uow:
            scan = await scans.claim(uow, worker_id, load, **more)
        found.append("" if scan is None else people[scan.owner_id])
    return found


async def test_organisations_take_turns_and_in_each_its_people(world: World) -> None:
    first = await make(world, "alice", "alice.txt")
    await copies(world, first, "alice", 300)
    bobs = await make(world, "bob", "bob.txt")
    await copies(world, first, "alice", 300, minutes=10)
    await copies(world, bobs, "bob", 2, minutes=20)
    theirs = await store(world, "yann", b"content", NewFile("yann.txt"), "den")
    await copies(world, theirs, "yann", 3)
    acme = ["alice", "bob", "alice", "bob", "alice", "bob", "alice"]
    assert await claimed(world, 11) == [*chain(*zip(acme, ["yann"] * 4, strict=False)), *acme[4:]]


async def test_whoever_has_less_running_comes_first(world: World) -> None:
    await copies(world, await make(world, "alice", "alice.txt"), "alice", 5)
    await copies(world, await make(world, "bob", "bob.txt"), "bob", 5)
    theirs = await store(world, "yann", b"content", NewFile("yann.txt"), "den")
    await copies(world, theirs, "yann", 5)
    acme, zeta = world.acme.id, world.zeta.id
    alice, bob, yann = (world[name].user.id for name in ("alice", "bob", "yann"))
    assert await claimed(world, 2, Load([zeta], [yann])) == ["alice", "bob"]
    assert await claimed(world, 2, Load([acme, zeta, zeta], [alice, yann, yann])) == ["bob", "bob"]
    assert await claimed(world, 1, Load([acme], [alice])) == ["yann"]
    assert await claimed(world, 1, Load([zeta, acme], [yann, alice], is_last_slot=True)) == ["bob"]
    assert await claimed(world, 1, Load([zeta, acme, acme], [yann, alice, bob], is_last_slot=True)) == [""]


async def test_what_takes_too_long_is_tried_again_at_low_priority(world: World, reader: ContentCache) -> None:
    services, bob = world.services, world["bob"].principal
    file = await make(world, "bob", "report.md", b"# Hello")
    impatient = ScanWork(services.db, services.files, reader, seconds=0)
    task = await impatient.claim()
    assert task is not None
    await impatient.work(task)
    assert (await services.files.get(bob, file.id)).status is FileStatus.PROCESSING
    assert await claimed(world, 1) == [""], "not among the first tries"
    patient = ScanWork(services.db, services.files, reader, slow=True)
    again = await patient.claim()
    assert again is not None
    assert again.tries == task.tries, "a first try that was too short does not count"
    await patient.work(again)
    assert (await services.files.get(bob, file.id)).status is FileStatus.ACTIVE
    await make(world, "bob", "report.md", b"# Hello again")
    assert await claimed(world, 1) == ["bob"], "a new version is a new first try"


async def test_hostile_files_of_one_do_not_keep_another_waiting(
    world: World, reader: ContentCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They never end; the first tries and the place for slow ones are as a worker has them."""
    services = world.services
    look, begun = ContentCache.content, asyncio.Semaphore(0)

    async def content(self: ContentCache, place: StoredDocument, lane: str) -> KnownContent:
        if place.name.startswith("bomb"):
            begun.release()
            await asyncio.Event().wait()
        return await look(self, place, lane)

    monkeypatch.setattr(ContentCache, "content", content)
    for number in range(6):
        await make(world, "alice", f"bomb {number}.md", f"# Bomb {number}".encode())
    async with services.db.unit_of_work(world["alice"].principal.actor) as uow:
        await uow.execute("update files set slow = true where name in ('bomb 0.md', 'bomb 1.md')")
    schedulers = WorkSchedulers(
        WorkScheduler(ScanWork(services.db, services.files, reader), 3),
        WorkScheduler(ScanWork(services.db, services.files, reader, slow=True)),
    )
    running = asyncio.create_task(schedulers.run())
    async with asyncio.timeout(60):
        for _ in range(3):
            await begun.acquire()
        with services.changes.subscribe() as inbox:
            file = await make(world, "bob", "mine.md", b"# Mine")
            schedulers.wake()
            while (await services.files.get(world["bob"].principal, file.id)).status is not FileStatus.ACTIVE:
                await inbox.take(5)
    assert begun.locked(), "two of her first tries and one slow one, no more"
    await schedulers.close()
    await running
