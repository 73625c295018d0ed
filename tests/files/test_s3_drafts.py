"""What a draft on S3 holds, by the parts that lie there; and two processes that want the same one."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.ids import new_id
from workroom.db import DatabaseAddress
from workroom.db.locks import AdvisoryLocks
from workroom.files.errors import UploadBusy
from workroom.files.ports import Blob
from workroom.files.s3 import S3BlobStore
from workroom.files.s3_bucket import Bucket, BucketConfig
from workroom.files.s3_drafts import DraftPart, contiguous_parts

RECORDS, RECORD = 6, 10


@pytest.mark.parametrize(
    ("parts", "counted"),
    [
        ([], []),
        ([(5, 9)], []),
        ([(0, 4)], [(0, 4)]),
        ([(0, 4), (4, 9)], [(0, 4), (4, 9)]),
        ([(0, 4), (5, 9)], [(0, 4)]),
        ([(0, 8), (4, 5)], [(0, 4), (4, 5)]),
        ([(0, 4), (4, 4), (4, 6)], [(0, 4), (4, 4), (4, 6)]),
    ],
)
def test_a_part_counts_until_the_next_begins_and_a_gap_ends_it(
    parts: list[tuple[int, int]], counted: list[tuple[int, int]]
) -> None:
    assert contiguous_parts([DraftPart(*part) for part in parts]) == [DraftPart(*part) for part in counted]


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 12)))
def test_whatever_lies_there_what_counts_has_no_gap_and_no_byte_twice(found: dict[int, int]) -> None:
    """Late parts of tries given up may lie anywhere; each holds the bytes of its place."""
    counted = contiguous_parts([DraftPart(start, start + size) for start, size in sorted(found.items())])
    place = 0
    for part in counted:
        assert part.start == place
        assert part.start <= part.stop <= part.start + found[part.start]
        place = part.stop


async def chunks(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _append_records(store: S3BlobStore, mandate_id: UUID, draft_id: UUID, letter: bytes) -> None:
    """Each at the end of what is there: whoever writes at the same time would overwrite it."""
    left = RECORDS
    while left:
        try:
            async with asyncio.timeout(60), store.draft(mandate_id, draft_id) as draft:
                await draft.append((await draft.digest())[1], chunks(letter * RECORD))
                left -= 1
        except UploadBusy:
            await asyncio.sleep(0)


def _other_process(dsn: str, place: BucketConfig, mandate_id: UUID, draft_id: UUID, wire: Connection) -> None:
    async def race() -> None:
        store = S3BlobStore(Bucket(place), AdvisoryLocks(dsn), Path(os.devnull))
        wire.send("ready")
        wire.recv()
        await _append_records(store, mandate_id, draft_id, b"b")
        wire.send("done")
        wire.recv()
        async with store.draft(mandate_id, draft_id):
            wire.send("held")
            wire.recv()  # for ever: it is killed with the draft in its hands

    asyncio.run(race())


async def test_two_processes_race_for_a_draft_and_one_dies_with_it(
    address: DatabaseAddress, s3_place: BucketConfig, tmp_path: Path
) -> None:
    locks, mandate_id, draft_id = AdvisoryLocks(address.application), new_id(), new_id()
    store = S3BlobStore(Bucket(s3_place), locks, tmp_path)
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_other_process, args=(address.application, s3_place, mandate_id, draft_id, theirs))
    process.start()
    try:
        assert await asyncio.to_thread(_heard, ours) == "ready"
        ours.send("go")
        await _append_records(store, mandate_id, draft_id, b"a")
        assert await asyncio.to_thread(_heard, ours) == "done"
        ours.send("hold it")
        assert await asyncio.to_thread(_heard, ours) == "held"
        with pytest.raises(UploadBusy):
            async with store.draft(mandate_id, draft_id):
                pytest.fail("two hold it")
    finally:
        process.kill()
        process.join()
    content = await _content_once_free(store, mandate_id, draft_id)
    records = [content[at : at + RECORD] for at in range(0, len(content), RECORD)]
    assert sorted(records) == [b"a" * RECORD] * RECORDS + [b"b" * RECORD] * RECORDS
    await locks.close()


def _heard(wire: Connection) -> object:
    assert wire.poll(60)
    return wire.recv()


async def _content_once_free(store: S3BlobStore, mandate_id: UUID, draft_id: UUID) -> bytes:
    """PostgreSQL notices a dead process when it looks at the connection, a moment later."""
    async with asyncio.timeout(60):
        while True:
            try:
                async with store.draft(mandate_id, draft_id) as draft:
                    blob = Blob(mandate_id, *await draft.digest())
                    await draft.keep(blob)
                return b"".join([piece async for piece in await store.open(blob)])
            except UploadBusy:
                await asyncio.sleep(0)
