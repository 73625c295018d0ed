"""Cache of blobs for parsers: fetched once, shared, bounded, verified, and never evicted while a file is read."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import stat
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from workroom.core.errors import ConfigurationError, StorageFull
from workroom.core.ids import new_id
from workroom.files.errors import ContentMissing, StorageUnavailable
from workroom.files.ports import Blob
from workroom.files.s3_cache import UNUSED_SECONDS, LocalCache
from workroom.files.s3_cache_file import CachedFile, remove_unused

MANDATE = new_id()


class Source:
    """What is fetched from, and how often."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.going, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()

    def add(self, content: bytes) -> Blob:
        blob = Blob(MANDATE, hashlib.sha256(content).hexdigest(), len(content))
        self.contents[blob.hash] = content
        return blob

    async def fetch(self, blob: Blob) -> AsyncIterator[bytes]:
        if blob.hash not in self.contents:
            raise ContentMissing
        self.fetched.append(blob.hash)
        return self._pieces(self.contents[blob.hash])

    async def _pieces(self, content: bytes) -> AsyncIterator[bytes]:
        yield content[: len(content) // 2]
        self.going.set()
        await self.go_on.wait()
        yield content[len(content) // 2 :]


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def cache(source: Source, tmp_path: Path) -> LocalCache:
    return LocalCache(tmp_path / "copies", source.fetch, most_bytes=100)


def kept(tmp_path: Path) -> set[str]:
    return {path.name.rpartition("-")[2] for path in (tmp_path / "copies").glob("*")}


async def read(cache: LocalCache, blob: Blob) -> bytes:
    async with cache.local(blob) as path:
        return path.read_bytes()


async def test_fifty_who_want_it_at_once_fetch_it_once(cache: LocalCache, source: Source, tmp_path: Path) -> None:
    blob = source.add(b"content")
    source.go_on.clear()
    reading = [asyncio.create_task(read(cache, blob)) for _ in range(50)]
    await asyncio.wait_for(source.going.wait(), 60)
    source.go_on.set()
    assert set(await asyncio.gather(*reading)) == {b"content"}
    assert await read(cache, blob) == b"content"
    assert source.fetched == [blob.hash]
    assert stat.S_IMODE(next((tmp_path / "copies").iterdir()).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "copies").stat().st_mode) == 0o700


async def test_another_process_of_the_machine_uses_the_same(cache: LocalCache, source: Source, tmp_path: Path) -> None:
    blob = source.add(b"content")
    await read(cache, blob)
    assert await read(LocalCache(tmp_path / "copies", source.fetch), blob) == b"content"
    assert source.fetched == [blob.hash]


@pytest.mark.parametrize("fetched_before", [False, True])
async def test_the_least_recently_used_go_but_never_one_in_use(
    cache: LocalCache, source: Source, tmp_path: Path, fetched_before: bool
) -> None:
    first, second, third = (source.add(letter * 40) for letter in (b"1", b"2", b"3"))
    if fetched_before:
        await read(cache, first)
    async with cache.local(first) as path:
        await read(cache, second)
        _used_before(tmp_path, first, seconds=20)
        _used_before(tmp_path, second, seconds=10)
        await read(cache, third)
        assert kept(tmp_path) == {first.hash, second.hash, third.hash}, "the oldest is in use"
        assert path.read_bytes() == b"1" * 40
    await cache.evict()
    assert kept(tmp_path) == {second.hash, third.hash}


async def test_one_larger_than_all_the_room_can_be_read(cache: LocalCache, source: Source, tmp_path: Path) -> None:
    small, large = source.add(b"small"), source.add(b"x" * 500)
    await read(cache, small)
    assert await read(cache, large) == b"x" * 500
    await cache.evict()
    assert large.hash not in kept(tmp_path)


async def test_what_nobody_used_for_long_goes(cache: LocalCache, source: Source, tmp_path: Path) -> None:
    old, used = source.add(b"old"), source.add(b"used")
    for blob in (old, used):
        await read(cache, blob)
        _used_before(tmp_path, blob, seconds=UNUSED_SECONDS + 60)
    await read(cache, used)
    await cache.evict()
    assert kept(tmp_path) == {used.hash}


async def test_the_leftover_of_a_dead_process_goes_but_not_what_is_being_fetched(
    cache: LocalCache, source: Source, tmp_path: Path
) -> None:
    blob = source.add(b"content")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "left.part").write_bytes(b"half")
    source.go_on.clear()
    reading = asyncio.create_task(read(cache, blob))
    await asyncio.wait_for(source.going.wait(), 60)
    await cache.evict()
    assert "left.part" not in kept(tmp_path)
    source.go_on.set()
    assert await reading == b"content"


async def test_content_that_is_not_its_hash_is_not_handed_out(
    cache: LocalCache, source: Source, tmp_path: Path
) -> None:
    blob = source.add(b"content")
    source.contents[blob.hash] = b"CONTENT"
    with pytest.raises(StorageUnavailable):
        await read(cache, blob)
    assert kept(tmp_path) == set()


async def test_cancelled_while_fetching_the_next_one_fetches(cache: LocalCache, source: Source, tmp_path: Path) -> None:
    blob = source.add(b"content")
    source.go_on.clear()
    first, second = asyncio.create_task(read(cache, blob)), asyncio.create_task(read(cache, blob))
    await asyncio.wait_for(source.going.wait(), 60)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    source.go_on.set()
    assert await second == b"content"
    assert kept(tmp_path) == {blob.hash}


async def test_cancelled_while_a_thread_opens_it_nothing_stays_held(
    cache: LocalCache, source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = source.add(b"content")
    await read(cache, blob)
    real, opening, go_on = CachedFile.take, threading.Event(), threading.Event()

    def slowly(copy: CachedFile) -> bool:
        opening.set()
        go_on.wait(60)
        return real(copy)

    monkeypatch.setattr(CachedFile, "take", slowly)
    reading = asyncio.create_task(read(cache, blob))
    assert await asyncio.to_thread(opening.wait, 60)
    reading.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert remove_unused(next((tmp_path / "copies").iterdir()))


async def test_what_is_deleted_is_forgotten_here(cache: LocalCache, source: Source) -> None:
    blob = source.add(b"content")
    await read(cache, blob)
    source.contents.clear()
    await cache.remove(blob)
    with pytest.raises(ContentMissing):
        await read(cache, blob)
    await cache.remove(blob)


@pytest.mark.parametrize(
    ("number", "expected"), [(errno.ENOSPC, StorageFull), (errno.EDQUOT, StorageFull), (errno.EIO, ConfigurationError)]
)
async def test_a_disk_that_does_not_take_it_keeps_nothing(
    cache: LocalCache,
    source: Source,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    expected: type[Exception],
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(CachedFile, "write", full)
    with pytest.raises(expected):
        await read(cache, source.add(b"content"))
    assert kept(tmp_path) == set()


def _used_before(tmp_path: Path, blob: Blob, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(tmp_path / "copies" / f"{MANDATE}-{blob.hash}", (moment, moment))
