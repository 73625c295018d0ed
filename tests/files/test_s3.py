"""What only S3 does: names, parts, a storage that goes away in the middle, machines that share a draft."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.files.object_storage import Asked, ObjectStorage
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.db import DatabaseAddress
from workroom.db.locks import AdvisoryLocks
from workroom.db.testing import TestPostgres
from workroom.files.errors import ContentMissing, StorageUnavailable, UploadBusy
from workroom.files.ports import Blob
from workroom.files.s3 import S3BlobStore
from workroom.files.s3_bucket import PART, Bucket, BucketConfig

MANDATE = new_id()
LARGE = bytes(range(251)) * (2 * PART // 251 + 1)  # three parts, the last one small

Machine = Callable[[], S3BlobStore]


@pytest.fixture(scope="module")
async def database(postgres: TestPostgres) -> AsyncIterator[DatabaseAddress]:
    made = await postgres.fresh()
    yield made
    await postgres.drop(made)


@pytest.fixture
async def machine(database: DatabaseAddress, s3_place: BucketConfig, tmp_path: Path) -> AsyncIterator[Machine]:
    """Makes stores as several machines have them: nothing in common but the database and the storage."""
    made = list[AdvisoryLocks]()

    def make() -> S3BlobStore:
        made.append(AdvisoryLocks(database.application))
        return S3BlobStore(Bucket(s3_place, pause=0.001), made[-1], tmp_path / f"copies-{len(made)}")

    yield make
    for locks in made:
        await locks.close()


@pytest.fixture
def store(machine: Machine) -> S3BlobStore:
    return machine()


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def blob_of(content: bytes) -> Blob:
    return Blob(MANDATE, hashlib.sha256(content).hexdigest(), len(content))


async def content_of(store: S3BlobStore, blob: Blob, start: int = 0, stop: int | None = None) -> bytes:
    return b"".join([piece async for piece in await store.open(blob, start, stop)])


async def keep(store: S3BlobStore, content: bytes) -> Blob:
    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(content))
        await draft.keep(blob_of(content))
    return blob_of(content)


def names(storage: ObjectStorage, place: BucketConfig) -> list[str]:
    return sorted(key.removeprefix(f"{place.root}/") for key in storage.objects)


async def test_content_has_the_name_it_has_on_disk_and_nothing_else_is_left(
    store: S3BlobStore, object_storage: ObjectStorage, s3_place: BucketConfig
) -> None:
    blob = await keep(store, b"content")
    assert names(object_storage, s3_place) == [f"{MANDATE}/{blob.hash[:2]}/{blob.hash}"]


async def test_large_content_travels_in_parts(store: S3BlobStore, object_storage: ObjectStorage) -> None:
    blob = await keep(store, LARGE)
    assert await content_of(store, blob) == LARGE
    assert await content_of(store, blob, PART - 5, PART + 5) == LARGE[PART - 5 : PART + 5]
    assert sum("partNumber" in asked.query for asked in object_storage.asked) == 3
    assert object_storage.unfinished == {}


async def test_what_one_has_just_written_is_not_fetched_to_be_counted(
    store: S3BlobStore, object_storage: ObjectStorage
) -> None:
    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(b"one "))
        await draft.append(4, chunks(b"two"))
        assert await draft.digest() == (hashlib.sha256(b"one two").hexdigest(), 7)
    assert object_storage.count("GET", "drafts") == 0


async def test_an_upload_goes_on_at_another_machine(machine: Machine) -> None:
    here, there, draft_id = machine(), machine(), new_id()
    async with here.draft(MANDATE, draft_id) as draft:
        await draft.append(0, chunks(b"one "))
        with pytest.raises(UploadBusy):
            async with there.draft(MANDATE, draft_id):
                pytest.fail("two hold it")
    async with there.draft(MANDATE, draft_id) as draft:
        await draft.append(4, chunks(b"two"))
        assert await draft.digest() == (hashlib.sha256(b"one two").hexdigest(), 7)
        await draft.keep(blob_of(b"one two"))
    assert await content_of(here, blob_of(b"one two")) == b"one two"


# The storage goes away, in the middle of what is being done.


@pytest.mark.parametrize("fault", ["away", 503, 500, 403])
async def test_a_step_that_cannot_be_stored_does_not_count(
    store: S3BlobStore, object_storage: ObjectStorage, fault: int | str
) -> None:
    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(b"one "))
        object_storage.fault = lambda asked: fault if asked.method == "PUT" and f"{PART + 4}" in asked.key else None
        with pytest.raises(StorageUnavailable) as error:
            await draft.append(4, chunks(LARGE))
        assert (error.value.status, error.value.again) == (503, True)
        object_storage.fault = lambda _: None
        assert (await draft.digest())[1] == 4
        assert await draft.append(4, chunks(b"two")) == 7


async def test_what_could_not_be_removed_does_not_count_either(
    store: S3BlobStore, object_storage: ObjectStorage
) -> None:
    """The first part of a step was stored, then everything is away: what is left lies beyond what counts."""
    async with store.draft(MANDATE, draft_id := new_id()) as draft:
        await draft.append(0, chunks(b"one "))
        stored = object_storage.count("PUT")
        object_storage.fault = lambda _: "away" if object_storage.count("PUT") > stored + 1 else None
        with pytest.raises(StorageUnavailable):
            await draft.append(4, chunks(LARGE))
    object_storage.fault = lambda _: None
    async with store.draft(MANDATE, draft_id) as draft:
        await draft.append(4, chunks(b"two"))
        assert await draft.digest() == (hashlib.sha256(b"one two").hexdigest(), 7)


@pytest.mark.parametrize("at", ["first part", "last part", "the end"])
async def test_gone_in_the_middle_of_keeping_there_is_no_content_and_the_draft_is_whole(
    store: S3BlobStore, object_storage: ObjectStorage, at: str
) -> None:
    blob, draft_id = blob_of(LARGE), new_id()

    def fault(asked: Asked) -> str | None:
        number = asked.query.get("partNumber")
        here = {"first part": number == "1", "last part": number == "3"}
        finishing = asked.method == "POST" and "uploadId" in asked.query
        return "away" if here.get(at, finishing) else None

    async with store.draft(MANDATE, draft_id) as draft:
        await draft.append(0, chunks(LARGE))
        object_storage.fault = fault
        with pytest.raises(StorageUnavailable):
            await draft.keep(blob)
    object_storage.fault = lambda _: None
    assert not await store.has(blob)
    with pytest.raises(ContentMissing):
        await store.open(blob)
    async with store.draft(MANDATE, draft_id) as draft:
        assert await draft.digest() == (blob.hash, blob.size)
        await draft.keep(blob)
    assert await content_of(store, blob) == LARGE


@pytest.mark.parametrize("size", [7, len(LARGE)])
async def test_what_changed_since_it_was_counted_is_not_kept(
    store: S3BlobStore, object_storage: ObjectStorage, size: int
) -> None:
    """As if a lock had been lost: content never lies under a hash that is not its own."""
    content = LARGE[:size]
    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(content))
        key = max(object_storage.objects)
        changed = object_storage.objects[key].content[:-1] + b"!"
        object_storage.objects[key] = type(object_storage.objects[key])(changed)
        with pytest.raises(StorageUnavailable):
            await draft.keep(blob_of(content))
    assert not await store.has(blob_of(content))


async def test_nothing_is_stored_once_the_lock_is_lost(machine: Machine, object_storage: ObjectStorage) -> None:
    class Lost:
        def require(self) -> None:
            raise StorageUnavailable

    from workroom.files.s3_drafts import S3Draft

    store = machine()
    async with store.draft(MANDATE, draft_id := new_id()) as draft:
        await draft.append(0, chunks(b"content"))
    late = S3Draft(store._bucket, MANDATE, draft_id, Lost())
    with pytest.raises(StorageUnavailable):
        await late.append(7, chunks(b"late"))
    with pytest.raises(StorageUnavailable):
        await late.keep(blob_of(b"content"))
    assert not await store.has(blob_of(b"content"))


async def test_a_download_that_is_cut_goes_on(store: S3BlobStore, object_storage: ObjectStorage) -> None:
    blob, cut = await keep(store, LARGE), list[str]()

    def fault(asked: Asked) -> str | None:
        if asked.method == "GET" and blob.hash in asked.key and len(cut) < 2:
            cut.append("cut")
            return "cut"
        return None

    object_storage.fault = fault
    assert await content_of(store, blob, 10) == LARGE[10:]
    assert len(cut) == 2


async def test_a_download_that_cannot_go_on_fails_and_is_never_short(
    store: S3BlobStore, object_storage: ObjectStorage
) -> None:
    blob = await keep(store, LARGE)
    reading = await store.open(blob)
    read = await anext(reading)
    object_storage.fault = lambda _: "away"
    object_storage.hang_up()
    with pytest.raises(StorageUnavailable):
        async for piece in reading:
            read += piece
    assert LARGE.startswith(read)
    assert len(read) < len(LARGE)


async def test_away_is_not_missing(store: S3BlobStore, object_storage: ObjectStorage) -> None:
    """Else a file would be told to be gone for good, because the storage is restarting."""
    blob = await keep(store, b"content")
    object_storage.fault = lambda _: "away"
    for asked in (store.has(blob), store.open(blob), store.delete(blob), store.sweep_drafts(now())):
        with pytest.raises(StorageUnavailable):
            await asked
    object_storage.fault = lambda _: None
    assert await store.has(blob)


async def test_drafts_are_swept_over_many_pages_but_not_those_of_other_machines(
    machine: Machine, object_storage: ObjectStorage, s3_place: BucketConfig
) -> None:
    here, there = machine(), machine()
    object_storage.page = 2
    for _ in range(5):
        async with here.draft(MANDATE, new_id()) as draft:
            await draft.append(0, chunks(b"left"))
            await draft.append(4, chunks(b"behind"))
    async with there.draft(MANDATE, held := new_id()) as draft:
        await draft.append(0, chunks(b"in use"))
        assert await here.sweep_drafts(now() - timedelta(hours=1)) == 0
        assert await here.sweep_drafts(now() + timedelta(hours=1)) == 5
        assert names(object_storage, s3_place) == [f"drafts/{MANDATE}/{held}/{0:020}"]
