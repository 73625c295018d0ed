"""Files kept for a while."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from workroom.contents.scratch import Scratch
from workroom.files.errors import StorageFull


def maker(size: int = 10, made: list[Path] | None = None) -> Callable[[Path], Awaitable[Path]]:
    async def make(into: Path) -> Path:
        folder = into / os.urandom(4).hex()
        folder.mkdir()
        path = folder / "file"
        path.write_bytes(bytes(size))
        if made is not None:
            made.append(path)
        return path

    return make


async def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    scratch, made = Scratch(tmp_path / "scratch"), list[Path]()

    async def use() -> None:
        async with scratch.held(("a",), maker(made=made)) as path:
            assert path.read_bytes() == bytes(10)

    await asyncio.gather(use(), use(), use())
    assert len(made) == 1
    await scratch.close()
    assert not made[0].exists()


async def test_what_was_not_used_for_longest_makes_room(tmp_path: Path) -> None:
    scratch, made = Scratch(tmp_path / "scratch", most_bytes=25), list[Path]()
    for name in ("a", "b", "a", "c"):
        async with scratch.held((name,), maker(made=made)):
            pass
    assert [path.exists() for path in made] == [True, False, True]


async def test_what_is_in_use_stays(tmp_path: Path) -> None:
    scratch, made = Scratch(tmp_path / "scratch", most_bytes=5), list[Path]()
    async with scratch.held(("a",), maker(made=made)) as path:
        async with scratch.held(("b",), maker(made=made)):
            pass
        assert path.exists()
        assert not made[1].exists()
    assert not path.exists()


async def test_a_failure_leaves_nothing_and_is_tried_again(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "scratch")

    async def fail(into: Path) -> Path:
        raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(StorageFull):
        async with scratch.held(("a",), fail):
            pass
    async with scratch.held(("a",), maker()) as path:
        assert path.exists()


async def test_folders_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    (tmp_path / "scratch" / "999999999-old").mkdir(parents=True)
    mine = tmp_path / "scratch" / f"{os.getpid()}-mine"
    mine.mkdir()
    scratch = Scratch(tmp_path / "scratch")
    async with scratch.held(("a",), maker()):
        pass
    assert not (tmp_path / "scratch" / "999999999-old").exists()
    assert mine.exists()


async def test_a_scratch_file_that_somebody_removed_is_made_again(tmp_path: Path) -> None:
    """By whoever cleans up folders for temporary files."""
    scratch, made = Scratch(tmp_path), list[Path]()

    async def make_one(into: Path) -> Path:
        path = into / f"{len(made)}" / "file"
        path.parent.mkdir()
        path.write_bytes(b"content")
        made.append(path)
        return path

    async with scratch.held(("a",), make_one) as path:
        assert path.read_bytes() == b"content"
    shutil.rmtree(made[0].parent)
    async with scratch.held(("a",), make_one) as path:
        assert path.read_bytes() == b"content"
    shutil.rmtree(made[0].parent.parent)  # all of it: a process in another container knows nothing of ours
    for name in ("a", "b"):
        async with scratch.held((name,), make_one) as path:
            assert path.read_bytes() == b"content"
    await scratch.close()
