"""Data folders that cannot be used, or not by us: one sentence, exit code 3 or 4, and nothing in them is touched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.command import run
from tests.faults.process import Workroom, free_port

NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such a folder")


def test_a_second_server_is_told_where_the_first_one_is(running: Workroom) -> None:
    second = run("serve", DATA=running.data, PORT=free_port())
    second.refused(4, "already running", running.base_url, str(running.pid), "WORKROOM_DATA")
    assert running.is_ready(), "the first one does not mind"


def test_a_second_server_on_another_port_by_option_is_refused_too(running: Workroom) -> None:
    run("serve", "--data", running.data, "--port", str(free_port())).refused(4, running.base_url)


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_text("mine")
    run("serve", DATA=file, PORT=free_port()).refused(3, str(file), "not a folder", "WORKROOM_DATA")
    run("serve", DATA=file / "deeper", PORT=free_port()).refused(3, "not a folder")
    assert file.read_text() == "mine"


def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    folder = Path("/usr")
    if os.geteuid() == 0:
        folder = tmp_path / "theirs"
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
    run("serve", DATA=folder, PORT=free_port()).refused(3, str(folder), "belongs to another user", "WORKROOM_DATA")


@as_root
def test_a_cluster_of_somebody_else_inside_our_folder(data: Path) -> None:
    """A folder copied from another account, with its owner kept."""
    for found, folders, files in os.walk(data / "postgres"):
        for name in (*folders, *files):
            os.chown(Path(found) / name, 12_345, 12_345)
    run("serve", DATA=data, PORT=free_port()).refused(3, "belongs to", "12345")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A disk of its own; the test is skipped where we may not mount one."""
    made: list[Path] = []

    def mount(options: str) -> Path:
        folder = tmp_path / f"disk-{len(made)}"
        folder.mkdir()
        if os.geteuid() != 0 or shutil.which("mount") is None:
            pytest.skip("only root can mount a disk")
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr!r}")
        made.append(folder)
        return folder

    yield mount
    for folder in made:
        subprocess.run(["umount", folder], check=True)


def test_a_read_only_disk(mounted: Callable[[str], Path]) -> None:
    disk = mounted("ro")
    run("serve", DATA=disk, PORT=free_port()).refused(3, str(disk), "read-only", "WORKROOM_DATA")
    run("serve", DATA=disk / "new", PORT=free_port()).refused(3, "read-only")


def test_a_full_disk(mounted: Callable[[str], Path]) -> None:
    """Room for the lock, not for a database. What was begun is removed, so that room helps the next start."""
    disk = mounted("size=2m")
    data = disk / "data"
    outcome = run("serve", DATA=data, PORT=free_port())
    outcome.refused(5, "No space left on device", "postgres.log")
    assert sorted(path.name for path in (data / "postgres").iterdir()) == ["log"]


def test_doctor_sees_too_little_room(mounted: Callable[[str], Path]) -> None:
    outcome = run("doctor", DATA=mounted("size=20m"), PORT=free_port())
    assert outcome.code == 3
    assert "WRONG disk space" in outcome.out
    assert "make room for at least 1 GB" in outcome.out


@as_root
def test_a_folder_closed_to_everybody_else_works_for_root(tmp_path: Path, started_once: Path) -> None:
    """PostgreSQL refuses root, and whoever runs it instead must still get in: below /root, for instance."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(started_once, closed / "data")
    with Workroom(closed / "data", WORKER="false") as workroom:
        assert "admin" in workroom.command("users", "list").fine()
    assert closed.stat().st_mode & 0o777 == 0o700


def test_a_damaged_secrets_file_is_not_replaced(data: Path) -> None:
    """Without it the database inside cannot be opened: a new one would lock everybody out for good."""
    secrets = data / "secrets.json"
    secrets.write_text("{broken")
    run("serve", DATA=data, PORT=free_port()).refused(3, str(secrets), "Restore it from your backup")
    assert secrets.read_text() == "{broken"


def test_secrets_of_another_folder_are_noticed(data: Path) -> None:
    secrets = data / "secrets.json"
    secrets.write_text(re.sub(r'"superuser_password": "[^"]+"', '"superuser_password": "other"', secrets.read_text()))
    run("serve", DATA=data, PORT=free_port()).refused(5, "does not accept the password in secrets.json")
