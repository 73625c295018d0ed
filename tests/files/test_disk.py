"""What only a disk does: modes, places, room that runs out, a process that died in between."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import multiprocessing
import os
import stat
import threading
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import UUID

import pytest

from workroom.core.errors import ConfigurationError
from workroom.core.ids import new_id
from workroom.files import disk
from workroom.files.disk import DiskBlobStore
from workroom.files.errors import StorageFull, UploadBusy
from workroom.files.ports import Blob

MANDATE = new_id()


async def chunks(content: bytes) -> AsyncIterator[bytes]:
    yield content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mit Umlaut ä" / "blobs"


async def test_content_lies_under_its_hash_and_nobody_else_may_read_it(folder: Path) -> None:
    store = DiskBlobStore(folder)
    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(b"content"))
        blob = Blob(MANDATE, *await draft.digest())
        await draft.keep(blob)
    path = folder / str(MANDATE) / blob.hash[:2] / blob.hash
    assert path.read_bytes() == b"content"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for parent in (path.parent, path.parent.parent, folder / str(MANDATE) / "drafts"):
        assert stat.S_IMODE(parent.stat().st_mode) == 0o700
    assert _files_in(folder) == [blob.hash]


def _files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("failing", ["pwrite", "fsync"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
async def test_a_full_disk_says_so_and_keeps_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str, number: int
) -> None:
    store, written = DiskBlobStore(folder), list[int]()
    real = os.pwrite

    def full(descriptor: int, *rest: object) -> int:
        if failing == "pwrite" and not written:
            written.append(1)
            return real(descriptor, b"half", 3)  # a disk takes what fits, and complains at the next try
        raise OSError(number, os.strerror(number))

    async with store.draft(MANDATE, new_id()) as draft:
        await draft.append(0, chunks(b"one"))
        with monkeypatch.context() as patched:
            patched.setattr(f"workroom.files.disk.os.{failing}", full)
            with pytest.raises(StorageFull) as error:
                await draft.append(3, chunks(b"two, which does not fit"))
        assert error.value.status == 507
        assert (await draft.digest())[1] == 3


async def test_a_folder_that_cannot_be_used_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(ConfigurationError, match="folder for files"):
        async with DiskBlobStore(tmp_path / "blobs").draft(MANDATE, new_id()):
            pytest.fail("it was opened")


async def test_a_draft_kept_between_opening_and_locking_is_not_written_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a late chunk would change content that a file names already."""
    store, draft_id, real = DiskBlobStore(folder), new_id(), fcntl.flock
    async with store.draft(MANDATE, draft_id) as draft:
        await draft.append(0, chunks(b"content"))
        blob = Blob(MANDATE, *await draft.digest())
    path = store.path(blob)

    def kept_meanwhile(descriptor: int, how: int) -> None:
        if not path.exists():
            path.parent.mkdir()
            (folder / str(MANDATE) / disk.DRAFTS / str(draft_id)).rename(path)
        real(descriptor, how)

    monkeypatch.setattr("workroom.files.disk.fcntl.flock", kept_meanwhile)
    async with store.draft(MANDATE, draft_id) as draft:
        assert (await draft.digest())[1] == 0
        await draft.append(0, chunks(b"late"))
    assert path.read_bytes() == b"content"


def _hold_and_wait(folder: Path, mandate_id: UUID, draft_id: UUID, wire: Connection) -> None:
    path = folder / str(mandate_id) / disk.DRAFTS / str(draft_id)
    descriptor = disk._open_locked(path)
    os.write(descriptor, b"before the end")
    wire.send("held")
    wire.recv()


async def test_another_process_holds_a_draft_until_it_dies(folder: Path) -> None:
    store, draft_id = DiskBlobStore(folder), new_id()
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_hold_and_wait, args=(folder, MANDATE, draft_id, theirs)
    )
    process.start()
    try:
        assert ours.poll(60)
        assert ours.recv() == "held"
        with pytest.raises(UploadBusy):
            async with store.draft(MANDATE, draft_id):
                pytest.fail("two hold it")
    finally:
        process.kill()
        process.join()
    async with store.draft(MANDATE, draft_id) as draft:
        assert (await draft.digest())[1] == len(b"before the end")


async def test_whoever_is_cancelled_while_a_draft_is_being_held_leaves_it_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, mandate_id, draft_id = DiskBlobStore(tmp_path), new_id(), new_id()
    entered, go = threading.Event(), threading.Event()
    real = disk._open_locked

    def slow(path: Path) -> int:
        entered.set()
        go.wait(60)
        return real(path)

    async def hold() -> None:
        async with store.draft(mandate_id, draft_id):
            pytest.fail("it was cancelled before")

    with monkeypatch.context() as patched:
        patched.setattr(disk, "_open_locked", slow)
        holding = asyncio.create_task(hold())
        await asyncio.to_thread(entered.wait, 60)
        holding.cancel()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await holding
    async with store.draft(mandate_id, draft_id) as draft:
        assert await draft.digest()
