"""Room: equal content is stored once, what nobody names goes, quotas hold, a full disk harms nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.files.sending import begin, content, make, pieces
from tests.world import World
from workroom.core.clock import now
from workroom.core.errors import Conflict, TooLarge, WorkroomError
from workroom.db import Database, UnitOfWork
from workroom.files.disk import DiskBlobStore
from workroom.files.errors import QuotaExceeded, StorageFull
from workroom.files.jobs import empty_trash, sweep_blobs
from workroom.files.ports import Blob
from workroom.files.quotas import Quotas
from workroom.files.service import Files
from workroom.files.store import blobs as blob_store
from workroom.files.testing import InMemoryBlobStore
from workroom.files.types import File, NewFile
from workroom.files.uploads import Uploads


def on_disk(world: World) -> list[Path]:
    return [path for path in world.services.settings.blobs.rglob("*") if path.is_file()]


async def age(world: World, file: File | None = None, hours: int = 25) -> None:
    """As if that content, or all of it, had been touched long ago."""
    for name in ("alice", "zoe"):
        async with world.services.db.unit_of_work(world[name].principal.actor) as uow:
            past = now() - timedelta(hours=hours)
            await uow.execute(
                "update blobs set touched_at = $1 where $2::text is null or hash = $2", past, file and file.hash
            )


async def forget(world: World, name: str, file: File) -> None:
    await world.services.files.delete(world[name].principal, file.id)
    await world.services.files.delete(world[name].principal, file.id, forever=True)


class TestOnce:
    async def test_equal_content_is_written_once_however_often_it_is_stored(self, world: World) -> None:
        data = b"the same" * 10_000
        made = await asyncio.gather(
            *(make(world, name, f"{n}.txt", data) for n in range(4) for name in ("bob", "alice"))
        )
        assert len({file.id for file in made}) == 8
        assert [path.stat().st_size for path in on_disk(world)] == [len(data)]

    async def test_counted_in_a_store_that_counts(self, world: World) -> None:
        blobs = InMemoryBlobStore()
        files = Files(world.services.db, blobs, Quotas(10**9))
        principal, instance = world["bob"].principal, world.instances["lab"].id
        for number in range(5):
            await files.store(principal, instance, NewFile(f"{number}.txt"), pieces(b"the same"))
        assert (blobs.times_kept, sum(map(len, blobs.kept.values())), blobs.drafts) == (1, 8, {})

    async def test_never_across_mandates(self, world: World) -> None:
        mine = await make(world, "bob", "a.txt", b"known to both")
        den = world.instances["den"].id
        theirs = await world.services.files.store(
            world["yann"].principal, den, NewFile("a.txt"), pieces(b"known to both")
        )
        assert mine.hash == theirs.hash
        assert len(on_disk(world)) == 2
        await forget(world, "bob", mine)
        await age(world)
        assert await sweep_blobs(world.services.db, DiskBlobStore(world.services.settings.blobs)) == 1
        assert len(on_disk(world)) == 1
        assert (await content(world, "yann", theirs.id)).content == b"known to both"


class TestSweep:
    async def sweep(self, world: World) -> int:
        return await sweep_blobs(world.services.db, DiskBlobStore(world.services.settings.blobs))

    async def test_only_what_no_version_names_and_only_after_a_day(self, world: World) -> None:
        old = await make(world, "bob", "a.txt", b"one")
        await make(world, "bob", "a.txt", b"two")
        gone = await make(world, "bob", "b.txt", b"three")
        await age(world)
        assert await self.sweep(world) == 0
        await forget(world, "bob", gone)
        assert await self.sweep(world) == 0, "somebody may still be reading it"
        await age(world)
        assert await self.sweep(world) == 1
        assert await self.sweep(world) == 0
        assert (await content(world, "bob", old.id, "?version=1")).content == b"one"
        assert len(on_disk(world)) == 2

    async def test_the_day_begins_when_the_trash_is_emptied(self, world: World) -> None:
        file = await make(world, "bob", "a.txt", b"one")
        await world.services.files.delete(world["bob"].principal, file.id)
        async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
            await uow.execute("update files set deleted_at = $1", now() - timedelta(days=31))
        await age(world)
        assert await empty_trash(world.services.db) == 1
        assert await self.sweep(world) == 0
        await age(world)
        assert await self.sweep(world) == 1

    async def test_what_a_process_left_behind_between_rename_and_commit(self, world: World) -> None:
        """`put` has kept the content; whoever should have recorded it is gone."""
        await world.services.files.put(world["bob"].principal, pieces(b"orphan"))
        assert len(on_disk(world)) == 1
        await age(world)
        assert await self.sweep(world) == 1
        assert on_disk(world) == []

    async def test_killed_between_the_row_and_the_rename(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        async def killed(*_: object) -> None:
            raise SystemExit

        with monkeypatch.context() as patched:
            patched.setattr("workroom.files.disk.DiskDraft.keep", killed)
            with pytest.raises(SystemExit):
                await world.services.files.put(world["bob"].principal, pieces(b"never kept"))
        await age(world)
        assert await self.sweep(world) == 1
        assert (await make(world, "bob", "a.txt", b"never kept")).size == 10

    async def test_stored_again_while_it_is_swept(self, world: World) -> None:
        """The sweep has removed the bytes and not committed yet: the upload waits, and stores them anew."""
        services = world.services
        file = await make(world, "bob", "a.txt", b"wanted again")
        await forget(world, "bob", file)
        await age(world)
        inside, go_on = asyncio.Event(), asyncio.Event()
        real = DiskBlobStore(services.settings.blobs)

        class Slow(DiskBlobStore):
            async def delete(self, blob: Blob) -> None:
                await real.delete(blob)
                inside.set()
                await go_on.wait()

        sweeping = asyncio.create_task(sweep_blobs(services.db, Slow(services.settings.blobs)))
        await asyncio.wait_for(inside.wait(), 60)
        storing = asyncio.create_task(make(world, "bob", "b.txt", b"wanted again"))
        await self._somebody_waits(world)
        go_on.set()
        assert await sweeping == 1
        stored = await asyncio.wait_for(storing, 60)
        assert (await content(world, "bob", stored.id)).content == b"wanted again"

    async def _somebody_waits(self, world: World) -> None:
        """For a lock in the database: looked at until it is so."""
        async with asyncio.timeout(60), world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
            while not await uow.fetchval("select exists (select from pg_locks where not granted)"):
                pass

    async def test_used_again_before_it_is_swept(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        """Found unused, and in use again before its turn comes."""
        file = await make(world, "bob", "a.txt", b"wanted again")
        await forget(world, "bob", file)
        await age(world)
        real = blob_store.unused

        async def then_used(uow: UnitOfWork, before: datetime, most: int) -> Sequence[Blob]:
            found = await real(uow, before, most)
            await make(world, "bob", "b.txt", b"wanted again")
            await age(world)
            return found

        monkeypatch.setattr(blob_store, "unused", then_used)
        assert await self.sweep(world) == 0
        assert len(on_disk(world)) == 1

    async def test_many_stores_and_sweeps_at_once_lose_nothing(self, world: World) -> None:
        """With a day that is over at once, storing may be refused and is repeated; it is never half done."""
        services, kept, done = world.services, [], asyncio.Event()

        async def stored(name: str) -> File:
            while True:
                with contextlib.suppress(Conflict):
                    return await make(world, "bob", name, b"contested")

        async def store_and_forget(number: int) -> None:
            for turn in range(4):
                file = await stored(f"{number}-{turn}.txt")
                if turn % 2:
                    kept.append(file)
                else:
                    await forget(world, "bob", file)

        async def sweep_all_the_time() -> None:
            while not done.is_set():
                with contextlib.suppress(Conflict):
                    await age(world)
                await self.sweep(world)

        sweeping = asyncio.create_task(sweep_all_the_time())
        await asyncio.gather(*(store_and_forget(number) for number in range(4)))
        done.set()
        await sweeping
        assert len(kept) == 8
        for file in kept:
            found = await services.files.read(world["bob"].principal, file.id)
            assert b"".join([piece async for piece in await services.files.open(found)]) == b"contested"


class TestQuotas:
    def _limited(self, world: World, user: int | None = None, mandate: int | None = None) -> tuple[Files, Uploads]:
        db: Database = world.services.db
        blobs, quotas = DiskBlobStore(world.services.settings.blobs), Quotas(1000, user, mandate)
        return Files(db, blobs, quotas), Uploads(db, blobs, quotas)

    async def test_versions_and_trash_count(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        files, uploads = self._limited(world, user=100)
        file = await files.store(principal, instance, NewFile("a"), pieces(b"1" * 40))
        await files.store(principal, instance, NewFile("a"), pieces(b"2" * 40))
        await files.delete(principal, file.id)
        with pytest.raises(QuotaExceeded) as error:
            await uploads.begin(principal, instance, NewFile("b"), 21)
        assert error.value.details == {"scope": "user", "used": 80, "limit": 100, "size": 21}
        assert "80 of 100" in error.value.message
        await uploads.begin(principal, instance, NewFile("b"), 20)
        with pytest.raises(QuotaExceeded):
            await uploads.begin(principal, instance, NewFile("c"), 1)
        await files.delete(principal, file.id, forever=True)
        await uploads.begin(principal, instance, NewFile("c"), 80)

    async def test_bringing_a_version_back_needs_no_room(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        files, _ = self._limited(world, user=100)
        file = await files.store(principal, instance, NewFile("a"), pieces(b"1" * 50))
        await files.store(principal, instance, NewFile("a"), pieces(b"2" * 50))
        assert (await files.restore_version(principal, file.id, 1)).version == 3

    async def test_the_mandates_counts_everybody_and_only_them(self, world: World) -> None:
        instance = world.instances["lab"].id
        files, _ = self._limited(world, mandate=100)
        await files.store(world["bob"].principal, instance, NewFile("a"), pieces(b"1" * 60))
        with pytest.raises(QuotaExceeded) as error:
            await files.store(world["alice"].principal, instance, NewFile("a"), pieces(b"2" * 60))
        assert error.value.details["scope"] == "mandate"
        await files.store(world["yann"].principal, world.instances["den"].id, NewFile("a"), pieces(b"2" * 60))

    async def test_what_a_colleague_has_costs_the_same(self, world: World) -> None:
        """Else the numbers would tell that somebody has that content."""
        instance = world.instances["lab"].id
        files, _ = self._limited(world, mandate=130)
        await files.store(world["alice"].principal, instance, NewFile("a"), pieces(b"1" * 60))
        await files.store(world["bob"].principal, instance, NewFile("b"), pieces(b"1" * 60))
        with pytest.raises(QuotaExceeded) as error:
            await files.store(world["bob"].principal, instance, NewFile("c"), pieces(b"2" * 20))
        assert error.value.details["used"] == 120

    async def test_many_at_once_never_pass_the_limit(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        files, _ = self._limited(world, user=100)
        results = await asyncio.gather(
            *(files.store(principal, instance, NewFile(f"{n}"), pieces(bytes([n]) * 30)) for n in range(8)),
            return_exceptions=True,
        )
        stored = [result for result in results if isinstance(result, File)]
        assert len(stored) == 3
        assert all(isinstance(result, File | QuotaExceeded) for result in results)

    async def test_uploads_begun_at_once_do_not_promise_the_same_room(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        _, uploads = self._limited(world, user=100)
        results = await asyncio.gather(
            *(uploads.begin(principal, instance, NewFile(f"{n}"), 30) for n in range(8)), return_exceptions=True
        )
        assert sum(not isinstance(result, BaseException) for result in results) == 3

    async def test_room_that_went_meanwhile_refuses_the_finish_and_a_later_one_succeeds(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        files, uploads = self._limited(world, user=100)
        begun = await uploads.begin(principal, instance, NewFile("a"), 60)
        await uploads.append(principal, begun.id, 0, pieces(b"1" * 60))
        other = await files.store(principal, instance, NewFile("b"), pieces(b"2" * 60))
        with pytest.raises(QuotaExceeded):
            await uploads.finish(principal, begun.id)
        await files.delete(principal, other.id)
        await files.delete(principal, other.id, forever=True)
        assert (await uploads.finish(principal, begun.id)).size == 60, "without sending it again"

    async def test_one_file_has_a_limit_of_its_own(self, world: World) -> None:
        principal, instance = world["bob"].principal, world.instances["lab"].id
        files, uploads = self._limited(world)
        with pytest.raises(TooLarge):
            await uploads.begin(principal, instance, NewFile("a"), 1001)
        with pytest.raises(TooLarge):
            await files.store(principal, instance, NewFile("a"), pieces(bytes(1001)))
        assert on_disk(world) == []


class TestAFullDisk:
    async def test_nothing_is_half_stored_and_room_is_found_again(self, world: World) -> None:
        principal, instance, db = world["bob"].principal, world.instances["lab"].id, world.services.db
        blobs = InMemoryBlobStore(room=100)
        files, uploads = Files(db, blobs, Quotas(10_000)), Uploads(db, blobs, Quotas(10_000))
        with pytest.raises(StorageFull):
            await files.store(principal, instance, NewFile("a"), pieces(bytes(200), 50))
        assert (blobs.kept, blobs.drafts) == ({}, {})
        begun = await uploads.begin(principal, instance, NewFile("b"), 150)
        assert await uploads.append(principal, begun.id, 0, pieces(bytes(90), 30)) == 90
        with pytest.raises(StorageFull):
            await uploads.append(principal, begun.id, 90, pieces(bytes(60), 30))
        assert (await uploads.get(principal, begun.id)).offset == 90
        blobs.room = 1000
        assert await uploads.append(principal, begun.id, 90, pieces(bytes(60), 30)) == 150
        assert (await uploads.finish(principal, begun.id)).size == 150

    async def test_over_http_it_is_507(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        async def full(*_: object) -> int:
            raise StorageFull

        upload_id = (await begin(world, "bob", size=4)).json()["uploadId"]
        with monkeypatch.context() as patched:
            patched.setattr("workroom.files.disk.DiskDraft.append", full)
            answer = await world.call("bob", "PATCH", f"/api/uploads/{upload_id}")
        assert (answer.status_code, answer.json()["code"]) == (507, "storageFull")


async def test_without_the_right_nothing_reaches_the_disk(world: World) -> None:
    async def never() -> AsyncIterator[bytes]:
        pytest.fail("nobody asked for it")
        yield b""

    with pytest.raises(WorkroomError):
        await world.services.files.store(world["rita"].principal, world.instances["lab"].id, NewFile("a"), never())
    assert on_disk(world) == []
