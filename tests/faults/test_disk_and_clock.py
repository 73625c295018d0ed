"""Drill R5: the disk is full, the database is away, the clock jumps. It refuses cleanly, and recovers by itself."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, tzinfo
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from tests.faults.proxy import DEAF, PASS, Proxy
from tests.faults.tiny_disk import tiny_disk
from tests.files.sending import begin, content, make, patch, pieces
from tests.lapsing import DEAD, time_passes
from tests.runs.bench import RunBench
from tests.world import World, make_world
from workroom.agent.testing import say
from workroom.bootstrap.server import open_services
from workroom.bootstrap.worker import WorkerServices, open_worker_services
from workroom.contents.content_cache import ContentCache
from workroom.core import clock_jumps
from workroom.core.actors import SystemActor
from workroom.core.clock_jumps import ClockJumps
from workroom.core.errors import StorageFull
from workroom.core.run_events import RunState
from workroom.db import DatabaseAddress, UnitOfWork, work_scheduler
from workroom.files import scans
from workroom.files.types import NewFile
from workroom.settings import Settings
from workroom.worker import housekeeping

SECONDS = 90.0
PAGE = 4096
DAY = timedelta(days=1)


async def looked_into(world: World, many: int) -> None:
    """Until so many files are there and none waits."""
    async with asyncio.timeout(SECONDS):
        with world.services.changes.subscribe() as inbox:
            while await stored(world, "active") < many or await stored(world, "processing"):
                await inbox.take(0.5)


async def stored(world: World, status: str = "") -> int:
    path = f"/api/workspace/{world.instances['lab'].id}/files" + (f"?status={status}" if status else "")
    answer = await world.call("bob", "GET", path)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["total"])


@asynccontextmanager
async def worker(
    world: World, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WorkerServices]:
    """Nothing wakes it here, so it polls more often."""
    monkeypatch.setattr(work_scheduler, "POLL_SECONDS", 0.2)
    services = world.services
    async with open_worker_services(services.settings, address.application, services.db) as worker_services:
        yield worker_services


class TestAFullDisk:
    async def test_an_upload_waits_for_room_and_goes_on(self, settings: Settings, world: World) -> None:
        data = bytes(range(256)) * 2048  # 512 kB
        with tiny_disk(settings.blobs, 300 * 1024) as disk:
            upload = (await begin(world, "bob", size=len(data))).json()["uploadId"]
            assert (await patch(world, "bob", upload, 0, data[:200_000])).status_code == 200
            for _ in range(2):
                full = await patch(world, "bob", upload, 200_000, data[200_000:])
                assert (full.status_code, full.json()["code"]) == (507, "storageFull")
                assert [path.stat().st_size for path in disk.files] == [200_000], (
                    "what did not fit is not there in part"
                )
            assert (await world.call("bob", "GET", f"/api/uploads/{upload}")).json()["offset"] == 200_000
            with pytest.raises(StorageFull):
                await make(world, "bob", "at-once.bin", bytes(400_000))
            assert len(disk.files) == 1
            assert await stored(world) == 0
            disk.resize(2 << 20)
            assert (await patch(world, "bob", upload, 200_000, data[200_000:])).json()["offset"] == len(data)
            finished = await world.call("bob", "POST", f"/api/uploads/{upload}/finish", {})
            assert (await content(world, "bob", finished.json()["id"])).content == data
            assert len(disk.files) == 1

    async def test_a_finish_without_room_for_a_name_can_be_repeated(self, settings: Settings, world: World) -> None:
        """The last step needs a folder: the disk, the mandate's, the drafts' and the draft are all that fits."""
        with tiny_disk(settings.blobs, 1 << 20, inodes=4) as disk:
            upload = (await begin(world, "bob", size=7)).json()["uploadId"]
            assert (await patch(world, "bob", upload, 0, b"content")).status_code == 200
            for _ in range(2):
                full = await world.call("bob", "POST", f"/api/uploads/{upload}/finish", {})
                assert (full.status_code, full.json()["code"]) == (507, "storageFull")
                assert await stored(world) == 0
            disk.resize(1 << 20)
            made = [await world.call("bob", "POST", f"/api/uploads/{upload}/finish", {}) for _ in range(2)]
            assert {answer.json()["id"] for answer in made} == {made[0].json()["id"]}
            assert (await content(world, "bob", made[0].json()["id"])).content == b"content"
            assert await stored(world) == 1
            assert [path.parent.name for path in disk.files] != ["drafts"]

    async def test_a_member_without_room_is_not_half_unpacked(self, settings: Settings, world: World) -> None:
        member = bytes(range(256)) * 4096  # 1 MB
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("large.bin", member)
            archive.writestr("small.txt", b"text")
        file = await make(world, "bob", "archive.zip", packed.getvalue())
        with tiny_disk(settings.scratch, 16 * PAGE) as disk:
            for what in ("content", "reading", "objects"):
                full = await world.call("bob", "GET", f"/api/files/{file.id}/{what}?inside=large.bin")
                assert (full.status_code, full.json()["code"]) == (507, "storageFull"), what
                assert disk.files == []
            assert (await content(world, "bob", file.id, "?inside=small.txt")).content == b"text"
            disk.resize(8 << 20)
            assert (await content(world, "bob", file.id, "?inside=large.bin")).content == member
            again = (await world.call("bob", "GET", f"/api/files/{file.id}/reading?inside=large.bin")).json()
            assert "room" not in str(again.get("problem")), "that there was no room is not a fault of the file"

    async def test_a_scratch_folder_without_room_for_a_name(self, settings: Settings, world: World) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("small.txt", b"text")
        file = await make(world, "bob", "archive.zip", packed.getvalue())
        with tiny_disk(settings.scratch, 1 << 20, inodes=1) as disk:
            full = await content(world, "bob", file.id, "?inside=small.txt")
            assert (full.status_code, full.json()["code"]) == (507, "storageFull")
            disk.resize(1 << 20)
            assert (await content(world, "bob", file.id, "?inside=small.txt")).content == b"text"

    async def test_a_database_without_room_says_the_same(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        async def full(*_: object) -> int:
            raise asyncpg.DiskFullError("could not extend file")

        with monkeypatch.context() as patched:
            patched.setattr(UnitOfWork, "execute", full)
            refused = await begin(world, "bob", size=4)
        assert (refused.status_code, refused.json()["code"]) == (507, "storageFull")
        assert (await begin(world, "bob", size=4)).status_code == 201


@pytest.fixture
async def far_world(settings: Settings, through_proxy: DatabaseAddress) -> AsyncIterator[World]:
    async with open_services(settings, through_proxy, settings.port) as services:
        yield await make_world(services)


class TestTheDatabaseIsAway:
    @pytest.mark.parametrize("seconds", [0.5, pytest.param(30.0, marks=pytest.mark.drill)])
    async def test_uploads_and_looks_go_on_when_it_is_back(
        self,
        far_world: World,
        through_proxy: DatabaseAddress,
        proxy: Proxy,
        monkeypatch: pytest.MonkeyPatch,
        seconds: float,
    ) -> None:
        looked, go_on = hold_looks(monkeypatch)
        data = b"0123456789" * 1000
        upload = (await begin(far_world, "bob", size=len(data))).json()["uploadId"]
        assert (await patch(far_world, "bob", upload, 0, data[:5000])).status_code == 200
        for number in range(5):
            await make(far_world, "bob", f"{number}.txt", f"text {number}".encode())
        async with worker(far_world, through_proxy, monkeypatch):
            await asyncio.wait_for(looked.wait(), SECONDS)
            proxy.mood = DEAF
            proxy.cut()
            go_on.set()
            away = asyncio.create_task(patch(far_world, "bob", upload, 5000, data[5000:]))
            await asyncio.wait({away}, timeout=seconds)
            proxy.mood = PASS
            proxy.cut()
            refused = await asyncio.wait_for(away, SECONDS)
            assert refused.status_code in (200, 503), refused.text
            await looked_into(far_world, 5)
            offset = (await far_world.call("bob", "GET", f"/api/uploads/{upload}")).json()["offset"]
            assert offset == (len(data) if refused.status_code == 200 else 5000)
            await patch(far_world, "bob", upload, offset, data[offset:])
            finished = await far_world.call("bob", "POST", f"/api/uploads/{upload}/finish", {})
            await looked_into(far_world, 6)
        assert (await content(far_world, "bob", finished.json()["id"])).content == data
        print(f"away for {seconds} s: the chunk sent meanwhile got {refused.status_code}")


def hold_looks(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """The first look waits in the middle; set when it does, and what it waits for."""
    looked, go_on = asyncio.Event(), asyncio.Event()
    original: Callable[..., Awaitable[Any]] = ContentCache._scan

    async def held(*args: Any) -> Any:
        found = await original(*args)
        looked.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(ContentCache, "_scan", held)
    return looked, go_on


class Clock:
    """The one clock of the program, set to another time. The database's and the files' go on as before."""

    shift = timedelta()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + made.shift

    monkeypatch.setattr("workroom.core.clock.datetime", Shifted)
    return made


class TestTheClockJumps:
    async def test_nothing_is_swept_for_an_age_it_does_not_have(
        self, world: World, address: DatabaseAddress, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        services, bob = world.services, world["bob"].principal
        async with worker(world, address, monkeypatch) as worker_services:
            jumps = ClockJumps()
            upload = (await begin(world, "bob", size=8)).json()["uploadId"]
            assert (await patch(world, "bob", upload, 0, b"half")).status_code == 200
            unnamed = await services.files.put(bob, pieces(b"soon to be a file"))
            for jump in (DAY + timedelta(minutes=1), 40 * DAY, -DAY, timedelta()):
                clock.shift = jump
                await housekeeping(services.db, worker_services, jumps)
            assert (await patch(world, "bob", upload, 4, b"half")).json()["offset"] == 8
            assert (await world.call("bob", "POST", f"/api/uploads/{upload}/finish", {})).status_code == 200
            async with services.db.unit_of_work(bob.actor) as uow:
                await services.files.record(uow, bob, world.instances["lab"].id, NewFile("named.txt"), unnamed)
            await looked_into(world, 2)

    async def test_after_a_quiet_day_what_is_old_goes(
        self, world: World, address: DatabaseAddress, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with worker(world, address, monkeypatch) as worker_services:
            jumps = ClockJumps()
            upload = (await begin(world, "bob", size=8)).json()["uploadId"]
            clock.shift = DAY + timedelta(minutes=1)
            await housekeeping(world.services.db, worker_services, jumps)
            assert (await world.call("bob", "GET", f"/api/uploads/{upload}")).status_code == 200
            monkeypatch.setattr(clock_jumps, "SETTLES", timedelta())
            await housekeeping(world.services.db, worker_services, jumps)
            assert (await world.call("bob", "GET", f"/api/uploads/{upload}")).status_code == 404

    @pytest.mark.parametrize("jump", [DAY, -DAY])
    async def test_files_are_looked_into_whatever_the_clock_says(
        self, world: World, address: DatabaseAddress, clock: Clock, monkeypatch: pytest.MonkeyPatch, jump: timedelta
    ) -> None:
        for number in range(2):
            await make(world, "bob", f"before-{number}.txt", f"before {number}".encode())
        async with worker(world, address, monkeypatch):
            await looked_into(world, 2)
            clock.shift = jump
            await make(world, "bob", "during.txt", b"during")
            await looked_into(world, 3)
            clock.shift = timedelta()
            await make(world, "bob", "after.txt", b"after")
            await looked_into(world, 4)

    async def test_a_wrong_clock_of_a_worker_does_not_matter_to_its_leases(self, world: World, clock: Clock) -> None:
        file = await make(world, "bob", "a.txt")
        worker_id = await world.services.db.worker_id()

        async def claimed() -> UUID | None:
            async with world.services.db.unit_of_work(SystemActor.SWEEP) as uow:
                scan = await scans.claim(uow, worker_id)
                return scan.file_id if scan is not None else None

        clock.shift = DAY
        assert await claimed() == file.id
        clock.shift = -DAY
        assert await claimed() is None, "it is held, whatever the clock says"
        await time_passes(world, "files", minutes=1)
        assert await claimed() == file.id, "and free when its worker died"

    async def test_a_lease_of_a_wrong_clock_does_not_last(self, world: World) -> None:
        """The database's clock, this time: a run whose worker died when it was a day ahead."""
        bench = RunBench(world)
        accepted = await bench.ask("hello")
        async with bench.db.unit_of_work(SystemActor.SWEEP) as uow:
            await uow.execute(
                "insert into workers (worker_id, heartbeat_at) values ($1, now() + interval '1 day')", DEAD
            )
        await bench.sql("update runs set state = 'running', epoch = 1, lease_holder = $1", DEAD)
        await bench.advance(accepted, say("hello"))
        assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED

    async def test_links_end_cleanly_and_new_ones_work(self, world: World, clock: Clock) -> None:
        file = await make(world, "bob", "a.txt", b"content")

        async def link() -> str:
            return str((await world.call("bob", "POST", f"/api/files/{file.id}/link", {})).json()["url"])

        old = await link()
        clock.shift = -DAY
        assert (await world.call(None, "GET", old)).content == b"content"
        clock.shift = DAY
        refused = await world.call(None, "GET", old)
        assert (refused.status_code, refused.json()["code"]) == (404, "fileLinkInvalid")
        assert (await world.call("bob", "GET", "/api/session")).status_code == 200, "nobody is signed out"
        assert (await world.call(None, "GET", await link())).content == b"content"
