"""What `postmaster.pid` says is believed only when the machine confirms it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import psutil
import pytest

from workroom.core.errors import ConfigurationError
from workroom.db.embedded import EmbeddedPostgres, Endpoint
from workroom.db.embedded.pidfile import PidFile, is_server_of

RUNNING = "4711\n/data/18\n1763200000\n5432\n/tmp/workroom-0-abc\n\n  1234   5\nready   \n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (RUNNING, PidFile(4711, Endpoint("/tmp/workroom-0-abc", 5432), "ready")),
        (RUNNING.replace("ready   ", "starting"), PidFile(4711, Endpoint("/tmp/workroom-0-abc", 5432), "starting")),
        ("-4711\n/data/18\n", PidFile(4711, None, "")),  # `postgres --single` writes its number negative
        ("4711\n/data/18\n1763200000\n", PidFile(4711, None, "")),
        ("", None),
        ("0\n", None),
        ("\0\0\0", None),
    ],
)
def test_the_file_is_read_whatever_is_in_it(tmp_path: Path, content: str, expected: PidFile | None) -> None:
    (tmp_path / "postmaster.pid").write_text(content)
    assert PidFile.read(tmp_path) == expected


def test_no_file_no_server(tmp_path: Path) -> None:
    assert PidFile.read(tmp_path) is None
    assert PidFile.read(tmp_path / "nothing") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_closed_folder_is_explained(tmp_path: Path) -> None:
    (tmp_path / "postmaster.pid").write_text(RUNNING)
    (tmp_path / "postmaster.pid").chmod(0)
    with pytest.raises(ConfigurationError, match="another user"):
        PidFile.read(tmp_path)


def test_another_program_in_the_folder_is_not_a_server(tmp_path: Path) -> None:
    assert not is_server_of(Path.cwd(), os.getpid())
    assert not is_server_of(tmp_path, 2**22 + 1), "no such process"


async def test_a_server_of_another_folder_is_not_ours(make_server: Any, folder: Path, tmp_path: Path) -> None:
    await make_server().start()
    other = tmp_path / "other" / "18"
    other.mkdir(parents=True)
    (other / "postmaster.pid").write_bytes((folder / "18" / "postmaster.pid").read_bytes())
    assert EmbeddedPostgres.find_running(folder) is not None
    assert EmbeddedPostgres.find_running(other.parent) is None


async def test_a_server_whose_folder_may_not_be_seen_is_known_by_its_command_line(
    make_server: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container, root may not look into a process of `nobody`."""

    def denied(process: psutil.Process) -> str:
        raise psutil.AccessDenied(process.pid)

    endpoint = await make_server().start()
    pid = PidFile.read(folder / "18")
    assert pid is not None
    monkeypatch.setattr(psutil.Process, "cwd", denied)
    assert EmbeddedPostgres.find_running(folder) == endpoint
    assert not is_server_of(tmp_path, pid.pid)
