"""The socket's home lies where everyone may write, so nothing found there is trusted."""

# ruff: noqa: ASYNC240 - a test may look at a file
from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from workroom.db.embedded.runas import RunAs
from workroom.db.embedded.socketdir import make_socket_directory, remove_socket_directory

CLUSTER = Path("/some/where/18")
ME = RunAs.directly()


@pytest.fixture
def temporary(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(open_folder))
    return open_folder


@pytest.fixture
async def usual(temporary: Path) -> Path:
    """The name that will be tried first."""
    directory = await make_socket_directory(CLUSTER, ME)
    assert directory.parent == temporary
    directory.rmdir()
    return directory


async def test_it_is_private_and_the_same_every_time(usual: Path) -> None:
    assert await make_socket_directory(CLUSTER, ME) == usual
    assert await make_socket_directory(CLUSTER, ME) == usual
    assert usual.stat().st_mode & 0o777 == 0o700
    assert await make_socket_directory(Path("/other/18"), ME) != usual


def link(path: Path) -> None:
    (path.parent / "trap").mkdir(mode=0o700)
    path.symlink_to(path.parent / "trap")


def opened(path: Path) -> None:
    path.mkdir()
    path.chmod(0o777)


def foreign(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make something that belongs to someone else")
    path.mkdir(mode=0o700)
    os.chown(path, 12_345, 12_345)


def file(path: Path) -> None:
    path.touch(mode=0o700)


@pytest.mark.parametrize("squat", [link, opened, foreign, file])
async def test_what_someone_else_put_there_is_avoided(usual: Path, squat: Callable[[Path], None]) -> None:
    squat(usual)
    before = usual.lstat()
    directory = await make_socket_directory(CLUSTER, ME)
    assert directory != usual
    assert directory.parent == usual.parent
    assert directory.lstat().st_mode & 0o777 == 0o700
    assert directory.lstat().st_uid == os.geteuid()
    after = usual.lstat()
    assert (after.st_ino, after.st_mode, after.st_uid) == (before.st_ino, before.st_mode, before.st_uid)


async def test_a_living_server_there_keeps_its_socket(usual: Path) -> None:
    usual.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(usual / ".s.PGSQL.5432"))
        other.listen()
        assert await make_socket_directory(CLUSTER, ME) != usual
        assert (usual / ".s.PGSQL.5432").exists()


async def test_the_path_stays_short_enough(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = open_folder / ("ü" * 60)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    directory = await make_socket_directory(CLUSTER, ME)
    assert len(os.fsencode(directory / ".s.PGSQL.5432")) < 100
    assert list(long.iterdir()) == []
    remove_socket_directory(directory)


async def test_a_server_runs_where_the_temporary_folder_has_odd_signs(
    make_server: object, query: object, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = open_folder / 'a, "b" ü'
    odd.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    endpoint = await make_server().start()  # type: ignore[operator]
    assert Path(endpoint.host).parent == odd
    assert await query(endpoint, "select 1") == 1  # type: ignore[operator]


async def test_only_our_own_empty_directories_are_removed(temporary: Path, usual: Path) -> None:
    foreign_name = temporary / "elsewhere"
    foreign_name.mkdir()
    remove_socket_directory(foreign_name)
    assert foreign_name.exists()
    usual.mkdir()
    (usual / "something").touch()
    remove_socket_directory(usual)
    assert (usual / "something").exists()
