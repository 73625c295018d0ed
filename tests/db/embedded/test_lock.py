"""One owner per data folder, known to whoever comes second, free when its process is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from workroom.core.errors import AlreadyRunning, ConfigurationError
from workroom.db.embedded import FolderLock

OWNS = """
import sys
from pathlib import Path
from workroom.db.embedded import FolderLock
lock = FolderLock.acquire(Path(sys.argv[1]))
lock.announce("http://127.0.0.1:8420")
print("owned", flush=True)
sys.stdin.read()
"""

ACQUIRES = """
import sys
from pathlib import Path
from workroom.core.errors import WorkroomError
from workroom.db.embedded import FolderLock
try:
    FolderLock.acquire(Path(sys.argv[1]))
except WorkroomError as error:
    print(error.exit_code, error.message)
"""


def owning(program: Any, folder: Path) -> subprocess.Popen[str]:
    app: subprocess.Popen[str] = program(OWNS, folder)
    assert app.stdout is not None
    assert app.stdout.readline() == "owned\n"
    return app


def test_the_second_is_told_where_the_first_is(program: Any, tmp_path: Path) -> None:
    app = owning(program, tmp_path)
    with pytest.raises(AlreadyRunning, match=r"http://127\.0\.0\.1:8420") as caught:
        FolderLock.acquire(tmp_path)
    assert f"process {app.pid}" in caught.value.message
    assert caught.value.exit_code == 4
    owner = FolderLock.owner(tmp_path)
    assert owner is not None
    assert (owner.pid, owner.address) == (app.pid, "http://127.0.0.1:8420")
    assert owner.started_at is not None
    assert owner.started_at.tzinfo is not None


def test_it_is_free_after_a_kill(program: Any, tmp_path: Path) -> None:
    app = owning(program, tmp_path)
    app.send_signal(signal.SIGKILL)
    app.wait()
    assert "8420" in (tmp_path / "server.lock").read_text(), "what the file says is not the lock"
    assert FolderLock.owner(tmp_path) is None
    FolderLock.acquire(tmp_path).release()


def test_it_is_free_although_the_killed_apps_server_still_runs(program: Any, tmp_path: Path) -> None:
    """A program started meanwhile must not inherit the lock."""
    started = OWNS.replace("print(", "import subprocess; print(subprocess.Popen(['sleep', '1000']).pid); print(")
    app = program(started, tmp_path)
    sleeper = int(app.stdout.readline())
    assert app.stdout.readline() == "owned\n"
    app.send_signal(signal.SIGKILL)
    app.wait()
    try:
        FolderLock.acquire(tmp_path).release()
    finally:
        os.kill(sleeper, signal.SIGKILL)


def test_it_can_be_released_and_taken_again(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    lock = FolderLock.acquire(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "server.lock").stat().st_mode & 0o777 == 0o600
    with pytest.raises(AlreadyRunning, match="still starting"):
        FolderLock.acquire(folder)
    lock.release()
    lock.release()
    assert FolderLock.owner(folder) is None
    FolderLock.acquire(folder).release()


def test_nobody_owns_what_is_not_there(tmp_path: Path) -> None:
    assert FolderLock.owner(tmp_path / "nothing") is None
    assert not (tmp_path / "nothing").exists()


def test_those_who_ask_do_not_get_in_the_way(tmp_path: Path) -> None:
    """Asking holds the lock for an instant; whoever wants to own it must not take that for an owner."""
    FolderLock.acquire(tmp_path).release()
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            FolderLock.owner(tmp_path)

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    try:
        for _ in range(200):
            FolderLock.acquire(tmp_path).release()
    finally:
        done.set()
        for asker in askers:
            asker.join()
    assert FolderLock.owner(tmp_path) is None, "neither an owner nor an asker is left"


def test_a_removed_lock_file_does_not_make_two_owners(tmp_path: Path) -> None:
    FolderLock.acquire(tmp_path).release()
    (tmp_path / "server.lock").unlink()
    lock = FolderLock.acquire(tmp_path)
    assert FolderLock.owner(tmp_path) is not None
    lock.release()


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "server.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(ConfigurationError):
        FolderLock.acquire(tmp_path / "data")
    assert (tmp_path / "precious").read_text() == "keep"


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    for path in (tmp_path / "data", tmp_path / "data" / "below"):
        with pytest.raises(ConfigurationError, match="not a folder"):
            FolderLock.acquire(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_someone_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    os.chown(tmp_path / "data", 12_345, 12_345)
    with pytest.raises(ConfigurationError, match="belongs to another user"):
        FolderLock.acquire(tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_closed_to_us_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        FolderLock.acquire(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("below", ["", "new"], ids=["existing", "to be made"])
def test_a_read_only_disk_is_refused(program: Any, tmp_path: Path, below: str) -> None:
    read_only = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    app = program(ACQUIRES, tmp_path / below, before=("unshare", "-m", "sh", "-c", read_only, str(tmp_path)))
    said, _ = app.communicate()
    if "mount:" in said:
        pytest.skip("mounting is not allowed here")
    assert said.startswith("3 ")
    assert "mounted read-only" in said
