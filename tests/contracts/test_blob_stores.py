"""What every blob store must do: on disk, on S3 and in memory, by the same tests."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.db.locks import AdvisoryLocks
from workroom.db.testing import TestPostgres
from workroom.files.disk import DiskBlobStore
from workroom.files.errors import ContentMissing, UploadBusy
from workroom.files.ports import Blob, BlobStore, DraftCut
from workroom.files.s3 import S3BlobStore
from workroom.files.s3_bucket import Bucket, BucketConfig
from workroom.files.testing import InMemoryBlobStore

ACME, ZETA = new_id(), new_id()


@pytest.fixture(scope="module")
async def locks(postgres: TestPostgres) -> AsyncIterator[AdvisoryLocks]:
    address = await postgres.fresh()
    made = AdvisoryLocks(address.application)
    yield made
    await made.close()
    await postgres.drop(address)


@pytest.fixture(params=["disk", "memory", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path, locks: AdvisoryLocks, s3_place: BucketConfig) -> BlobStore:
    made: dict[str, BlobStore] = {
        "disk": DiskBlobStore(tmp_path / "blobs"),
        "memory": InMemoryBlobStore(),
        "s3": S3BlobStore(Bucket(s3_place), locks, tmp_path / "copies"),
    }
    return made[request.param]


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def broken(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
    raise ConnectionResetError


def blob_of(content: bytes, mandate_id: UUID = ACME) -> Blob:
    return Blob(mandate_id, hashlib.sha256(content).hexdigest(), len(content))


async def keep(store: BlobStore, content: bytes, mandate_id: UUID = ACME) -> Blob:
    blob = blob_of(content, mandate_id)
    async with store.draft(mandate_id, new_id()) as draft:
        await draft.append(0, chunks(content))
        await draft.keep(blob)
    return blob


async def content_of(store: BlobStore, blob: Blob, start: int = 0, stop: int | None = None) -> bytes:
    return b"".join([piece async for piece in await store.open(blob, start, stop)])


@pytest.mark.parametrize("size", [0, 1, 1_000_000, 3 * 1024 * 1024 + 7, 17 * 1024 * 1024])
async def test_what_goes_in_comes_out(store: BlobStore, size: int) -> None:
    content = bytes(index * 7 % 251 for index in range(min(size, 1000))) * (size // 1000 + 1)
    blob = await keep(store, content[:size])
    assert await content_of(store, blob) == content[:size]
    async with store.local(blob) as path:
        assert path.read_bytes() == content[:size]


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 4), (3, None), (4, 9), (9, 10), (10, None)])
async def test_parts_of_it(store: BlobStore, start: int, stop: int | None) -> None:
    blob = await keep(store, b"0123456789")
    assert await content_of(store, blob, start, stop) == b"0123456789"[start:stop]


async def test_a_draft_grows_in_steps_and_is_found_again(store: BlobStore) -> None:
    draft_id = new_id()
    async with store.draft(ACME, draft_id) as draft:
        assert await draft.append(0, chunks(b"one ", b"two ")) == 8
    async with store.draft(ACME, draft_id) as draft:
        assert await draft.append(8, chunks(b"three")) == 13
        assert await draft.digest() == (hashlib.sha256(b"one two three").hexdigest(), 13)


async def test_writing_from_an_earlier_place_forgets_the_rest(store: BlobStore) -> None:
    async with store.draft(ACME, new_id()) as draft:
        await draft.append(0, chunks(b"one two three"))
        assert await draft.append(4, chunks(b"2")) == 5
        assert await draft.digest() == (hashlib.sha256(b"one 2").hexdigest(), 5)


async def test_a_chunk_that_breaks_off_does_not_count(store: BlobStore) -> None:
    async with store.draft(ACME, new_id()) as draft:
        await draft.append(0, chunks(b"one "))
        with pytest.raises(ConnectionResetError):
            await draft.append(4, broken(b"two" * 1_000_000))
        assert await draft.digest() == (hashlib.sha256(b"one ").hexdigest(), 4)


async def test_a_cancelled_chunk_does_not_count_either(store: BlobStore) -> None:
    going = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 300_000
            going.set()
            await asyncio.sleep(0)

    async with store.draft(ACME, new_id()) as draft:
        await draft.append(0, chunks(b"one "))
        writing = asyncio.create_task(draft.append(4, endless()))
        await asyncio.wait_for(going.wait(), 60)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert (await draft.digest())[1] == 4


async def test_a_draft_that_lost_something_says_so(store: BlobStore) -> None:
    async with store.draft(ACME, new_id()) as draft:
        await draft.append(0, chunks(b"one"))
        with pytest.raises(DraftCut) as cut:
            await draft.append(5, chunks(b"two"))
    assert cut.value.size == 3


async def test_a_draft_is_held_by_one(store: BlobStore) -> None:
    draft_id = new_id()
    async with store.draft(ACME, draft_id):
        with pytest.raises(UploadBusy):
            async with store.draft(ACME, draft_id):
                pytest.fail("two hold it")
        async with store.draft(ACME, new_id()):
            pass
    async with store.draft(ACME, draft_id):
        pass


async def test_equal_content_is_kept_once(store: BlobStore) -> None:
    first, second = await asyncio.gather(keep(store, b"same" * 1000), keep(store, b"same" * 1000))
    assert first == second
    assert await content_of(store, first) == b"same" * 1000


async def test_another_mandate_has_nothing_of_it(store: BlobStore) -> None:
    await keep(store, b"secret")
    assert not await store.has(blob_of(b"secret", ZETA))
    with pytest.raises(ContentMissing):
        await store.open(blob_of(b"secret", ZETA))
    with pytest.raises(ContentMissing):
        async with store.local(blob_of(b"secret", ZETA)):
            pytest.fail("it is there")


async def test_a_kept_draft_is_gone_and_a_new_one_of_its_id_is_empty(store: BlobStore) -> None:
    draft_id, blob = new_id(), blob_of(b"content")
    async with store.draft(ACME, draft_id) as draft:
        await draft.append(0, chunks(b"content"))
        await draft.keep(blob)
    async with store.draft(ACME, draft_id) as draft:
        assert (await draft.digest())[1] == 0
        await draft.append(0, chunks(b"other"))
    assert await content_of(store, blob) == b"content"


async def test_what_is_being_read_can_be_deleted(store: BlobStore) -> None:
    content = b"0123456789" * 200_000
    blob = await keep(store, content)
    reading = await store.open(blob)
    first = await anext(reading)
    await store.delete(blob)
    assert not await store.has(blob)
    assert first + b"".join([piece async for piece in reading]) == content
    await store.delete(blob)


async def test_old_drafts_are_swept_but_not_those_in_use(store: BlobStore) -> None:
    held, left = new_id(), new_id()
    async with store.draft(ACME, left) as draft:
        await draft.append(0, chunks(b"left behind"))
    assert await store.sweep_drafts(now() - timedelta(hours=1)) == 0
    async with store.draft(ACME, held) as draft:
        await draft.append(0, chunks(b"in use"))
        assert await store.sweep_drafts(now() + timedelta(hours=1)) == 1
        assert (await draft.digest())[1] == 6
    async with store.draft(ACME, left) as draft:
        assert (await draft.digest())[1] == 0


@pytest.mark.parametrize("hash", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_only_a_hash_names_content(hash: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        Blob(ACME, hash, 0)
