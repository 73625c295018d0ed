"""Uploads in chunks: whole, resumed, repeated, overlapping, damaged, cancelled, abandoned."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from tests.files.sending import begin, content, make, patch, pieces, upload
from tests.world import World
from workroom.api.services import Services
from workroom.bootstrap.server import open_services
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.db import DatabaseAddress
from workroom.files.disk import DiskBlobStore
from workroom.files.jobs import clean_up, drop_uploads
from workroom.files.types import CHUNK_BYTES, NewFile
from workroom.settings import Settings


def stored(services: Services) -> list[Path]:
    """Every file below the data folder's blobs, drafts included."""
    return sorted(path for path in services.settings.blobs.rglob("*") if path.is_file())


async def finish(world: World, name: str, upload_id: str, **body: object) -> tuple[int, dict[str, object]]:
    answer = await world.call(name, "POST", f"/api/uploads/{upload_id}/finish", body)
    return answer.status_code, answer.json()


@pytest.mark.requirement("J1")
async def test_a_file_comes_in_and_goes_out_again(world: World) -> None:
    data = bytes(range(256)) * 40_000  # 10 MB: two chunks
    file = await upload(world, "bob", data, name="Überblick 📈.bin", mediaType="Application/X-Test; a=b")
    assert file["name"] == "Überblick 📈.bin"
    assert (file["size"], file["version"], file["mediaType"]) == (len(data), 1, "application/x-test")
    assert (file["hash"], file["visibility"], file["status"]) == (hashlib.sha256(data).hexdigest(), "MY", "processing")
    assert (await content(world, "bob", file["id"])).content == data
    assert len(stored(world.services)) == 1, "no draft is left"


async def test_an_empty_file_is_a_file(world: World) -> None:
    file = await upload(world, "bob", b"", name="empty.txt")
    answer = await content(world, "bob", file["id"])
    assert (file["size"], answer.status_code, answer.content) == (0, 200, b"")


async def test_begin_says_how_to_go_on(world: World) -> None:
    answer = await begin(world, "bob", size=5)
    assert answer.status_code == 201
    assert set(answer.json()) == {"uploadId", "offset", "chunkSize"}
    assert (answer.json()["offset"], answer.json()["chunkSize"]) == (0, 8 * 1024 * 1024)
    shown = (await world.call("bob", "GET", f"/api/uploads/{answer.json()['uploadId']}")).json()
    assert (shown["offset"], shown["size"], shown["fileId"]) == (0, 5, None)


@pytest.mark.parametrize("offset", [0, 3, 9, 11])
async def test_a_chunk_from_elsewhere_gets_the_true_offset(world: World, offset: int) -> None:
    upload_id = (await begin(world, "bob", size=20)).json()["uploadId"]
    assert (await patch(world, "bob", upload_id, 0, b"0123456789")).json() == {"offset": 10}
    again = await patch(world, "bob", upload_id, offset, b"xxxxx")
    assert (again.status_code, again.json()["code"]) == (409, "uploadOffset")
    assert again.json()["details"] == {"offset": 10}
    await patch(world, "bob", upload_id, 10, b"abcdefghij")
    status, file = await finish(world, "bob", upload_id)
    assert status == 200
    assert (await content(world, "bob", str(file["id"]))).content == b"0123456789abcdefghij"


async def test_more_than_was_announced_is_refused(world: World) -> None:
    upload_id = (await begin(world, "bob", size=5)).json()["uploadId"]
    assert (await patch(world, "bob", upload_id, 0, b"123456")).status_code == 413
    assert (await world.call("bob", "GET", f"/api/uploads/{upload_id}")).json()["offset"] == 0
    assert (await patch(world, "bob", upload_id, 0, b"12345")).json() == {"offset": 5}


async def test_an_unfinished_one_cannot_be_finished(world: World) -> None:
    upload_id = (await begin(world, "bob", size=5)).json()["uploadId"]
    await patch(world, "bob", upload_id, 0, b"123")
    status, body = await finish(world, "bob", upload_id)
    assert (status, body["code"], body["details"]) == (409, "uploadOffset", {"offset": 3})


async def test_only_this_route_takes_a_chunk_and_no_more_than_one(world: World) -> None:
    upload_id = (await begin(world, "bob", size=3 * CHUNK_BYTES)).json()["uploadId"]
    assert (await patch(world, "bob", upload_id, 0, bytes(CHUNK_BYTES))).json() == {"offset": CHUNK_BYTES}
    over = await patch(world, "bob", upload_id, CHUNK_BYTES, bytes(CHUNK_BYTES + 1))
    assert (over.status_code, over.json()["code"]) == (413, "tooLarge")
    async with world.client("bob") as client:
        streamed = await client.patch(
            f"/api/uploads/{upload_id}",
            content=pieces(bytes(CHUNK_BYTES + 1)),
            headers={"Upload-Offset": str(CHUNK_BYTES)},
        )
        assert streamed.status_code == 413
        elsewhere = [("PATCH", f"/api/uploads/{upload_id}/finish"), ("POST", f"/api/uploads/{upload_id}")]
        for method, path in [*elsewhere, ("PATCH", f"/api/files/{upload_id}")]:
            assert (await client.request(method, path, content=bytes(3_000_000))).status_code == 413
    assert (await world.call("bob", "GET", f"/api/uploads/{upload_id}")).json()["offset"] == CHUNK_BYTES


async def test_a_damaged_one_is_not_stored_and_begins_again(world: World) -> None:
    upload_id = (await begin(world, "bob", size=4)).json()["uploadId"]
    await patch(world, "bob", upload_id, 0, b"good")
    status, body = await finish(world, "bob", upload_id, sha256=hashlib.sha256(b"evil").hexdigest())
    assert (status, body["code"]) == (422, "uploadDamaged")
    await patch(world, "bob", upload_id, 0, b"evil")
    assert (await finish(world, "bob", upload_id, sha256=hashlib.sha256(b"evil").hexdigest().upper()))[0] == 200


async def test_finishing_twice_makes_one_file(world: World) -> None:
    upload_id = (await begin(world, "bob", size=4)).json()["uploadId"]
    await patch(world, "bob", upload_id, 0, b"once")
    services, bob = world.services, world["bob"].principal
    results = await asyncio.gather(
        *(services.uploads.finish(bob, UUID(upload_id)) for _ in range(4)), return_exceptions=True
    )
    made = {result.id for result in results if not isinstance(result, BaseException)}
    assert len(made) == 1, results
    assert (await services.uploads.finish(bob, UUID(upload_id))).id in made
    assert (await services.files.get(bob, made.pop())).version == 1
    assert (await patch(world, "bob", upload_id, 4, b"")).status_code == 409, "it takes nothing any more"


async def test_cancelling_leaves_nothing(world: World) -> None:
    upload_id = (await begin(world, "bob", size=10)).json()["uploadId"]
    await patch(world, "bob", upload_id, 0, b"12345")
    assert len(stored(world.services)) == 1
    assert (await world.call("bob", "DELETE", f"/api/uploads/{upload_id}")).status_code == 204
    assert stored(world.services) == []
    assert (await patch(world, "bob", upload_id, 5, b"12345")).status_code == 404


async def test_an_upload_goes_on_after_a_restart(world: World, settings: Settings, address: DatabaseAddress) -> None:
    services, bob, instance = world.services, world["bob"].principal, world.instances["lab"].id
    begun = await services.uploads.begin(bob, instance, NewFile("long.bin"), 10)
    await services.uploads.append(bob, begun.id, 0, pieces(b"01234"))
    async with open_services(settings, address, 8420) as restarted:
        assert (await restarted.uploads.get(bob, begun.id)).offset == 5
        assert await restarted.uploads.append(bob, begun.id, 5, pieces(b"56789")) == 10
        file = await restarted.uploads.finish(bob, begun.id)
        assert file.hash == hashlib.sha256(b"0123456789").hexdigest()


async def test_what_the_disk_lost_is_sent_again(world: World) -> None:
    upload_id = (await begin(world, "bob", size=10)).json()["uploadId"]
    await patch(world, "bob", upload_id, 0, b"0123456789")
    (draft,) = stored(world.services)
    draft.write_bytes(b"0123")
    status, body = await finish(world, "bob", upload_id)
    assert (status, body["details"]) == (409, {"offset": 4})
    draft.unlink()
    answer = await patch(world, "bob", upload_id, 4, b"456789")
    assert answer.json()["details"] == {"offset": 0}
    await patch(world, "bob", upload_id, 0, b"0123456789")
    assert (await finish(world, "bob", upload_id))[0] == 200


async def test_killed_after_the_content_was_kept_the_finish_is_repeated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the rename and the commit: nothing is sent again, and nothing is stored twice."""
    upload_id = UUID((await begin(world, "bob", size=7)).json()["uploadId"])
    await patch(world, "bob", str(upload_id), 0, b"content")
    services, bob = world.services, world["bob"].principal

    async def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(type(services.uploads), "_recorded", killed)
        with pytest.raises(SystemExit):
            await services.uploads.finish(bob, upload_id)
    assert len([path for path in stored(services) if "drafts" not in path.parts]) == 1
    file = await services.uploads.finish(bob, upload_id, hashlib.sha256(b"content").hexdigest())
    assert (await content(world, "bob", file.id)).content == b"content"
    assert len(stored(services)) == 1


async def test_abandoned_ones_are_swept_after_a_day(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    ids = [UUID((await begin(world, "bob", size=5, name=name)).json()["uploadId"]) for name in ("old", "fresh")]
    for upload_id in ids:
        await patch(world, "bob", str(upload_id), 0, b"123")
    async with services.db.unit_of_work(bob.actor) as uow:
        past = now() - timedelta(hours=25)
        await uow.execute("update uploads set touched_at = $1 where upload_id = $2", past, ids[0])
    blobs = DiskBlobStore(services.settings.blobs)
    assert await drop_uploads(services.db, blobs) == 1
    with pytest.raises(NotFound):
        await services.uploads.get(bob, ids[0])
    assert (await services.uploads.get(bob, ids[1])).offset == 3
    await clean_up(services.db, blobs)
    assert await services.uploads.append(bob, ids[1], 3, pieces(b"45")) == 5


async def test_a_lost_connection_costs_one_chunk(world: World) -> None:
    begun = await world.services.uploads.begin(
        world["bob"].principal, world.instances["lab"].id, NewFile("cut.bin"), 4_000_000
    )

    async def cut() -> AsyncIterator[bytes]:
        yield bytes(2_500_000)
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await world.services.uploads.append(world["bob"].principal, begun.id, 0, cut())
    assert (await world.services.uploads.get(world["bob"].principal, begun.id)).offset == 0
    assert sum(path.stat().st_size for path in stored(world.services)) == 0, "half a chunk takes no room"


async def test_nobody_else_goes_on_with_it(world: World) -> None:
    upload_id = (await begin(world, "bob", size=5)).json()["uploadId"]
    for name in ("alice", "rita", "olaf", "zoe"):
        assert (await patch(world, name, upload_id, 0, b"12345")).status_code == 404
        assert (await world.call(name, "GET", f"/api/uploads/{upload_id}")).status_code == 404


async def test_who_lost_the_right_meanwhile_stores_nothing(world: World) -> None:
    upload_id = (await begin(world, "bob", size=5)).json()["uploadId"]
    await world.services.instances.remove_member(
        world["alice"].principal, world.instances["lab"].id, world["bob"].user.id
    )
    assert (await patch(world, "bob", upload_id, 0, b"12345")).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": "a/b"},
        {"name": ".."},
        {"name": "a\x00b"},
        {"name": "x" * 256},
        {"size": -1},
        {"size": 2**60},
        {"size": 3 * 1024**3},
        {"folderId": "01920000-0000-7000-8000-000000000000"},
        {"onConflict": "overwrite"},
        {"visibility": "ALL"},
    ],
)
async def test_what_cannot_become_a_file_is_refused_before_it_is_sent(
    shared_world: World, body: dict[str, object]
) -> None:
    assert (await begin(shared_world, "bob", **body)).status_code in (413, 422)


async def test_a_folder_deleted_meanwhile_does_not_cost_the_upload(world: World) -> None:
    services, bob, instance = world.services, world["bob"].principal, world.instances["lab"].id
    folder = await services.folders.create(bob, instance, "Letters")
    begun = await services.uploads.begin(bob, instance, NewFile("late.txt", folder.id), 4)
    await services.folders.delete(bob, folder.id)
    await services.uploads.append(bob, begun.id, 0, pieces(b"late"))
    assert (await services.uploads.finish(bob, begun.id)).folder_id is None


async def test_fail_is_told_before_anything_is_sent(world: World) -> None:
    await make(world, "bob", "report.pdf")
    answer = await begin(world, "bob", size=5, onConflict="fail")
    assert (answer.status_code, answer.json()["code"]) == (409, "fileExists")
