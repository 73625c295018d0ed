"""Blobs copied beside a backup and back: what is missing, nothing damaged, nothing that is no content."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest

from workroom.core.ids import new_id
from workroom.files.blob_backup import BackupResult, copy_contents

MANDATE = str(new_id())


def put(folder: Path, content: bytes, *, name: str | None = None) -> Path:
    name = name or hashlib.sha256(content).hexdigest()
    path = folder / MANDATE / name[:2] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path.relative_to(folder)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "blobs", tmp_path / "copy"


def test_what_is_missing_is_copied_and_the_rest_left_alone(folders: tuple[Path, Path]) -> None:
    source, target = folders
    first = put(source, b"one")
    assert copy_contents(source, target) == BackupResult(1, 3)
    second = put(source, b"three")
    assert copy_contents(source, target) == BackupResult(1, 5)
    assert copy_contents(source, target) == BackupResult()
    assert ((target / first).read_bytes(), (target / second).read_bytes()) == (b"one", b"three")
    assert stat.S_IMODE((target / first).stat().st_mode) == 0o600
    assert stat.S_IMODE(target.stat().st_mode) == 0o700


def test_what_is_not_its_hash_is_left_out_and_told(folders: tuple[Path, Path]) -> None:
    source, target = folders
    put(source, b"rotten", name="0" * 64)
    good = put(source, b"good")
    copied = copy_contents(source, target)
    assert copied == BackupResult(1, 4, damaged=1)
    assert "1 left out because they are damaged" in str(copied)
    assert [path.relative_to(target) for path in target.rglob("*") if path.is_file()] == [good]


def test_drafts_links_and_other_things_stay_behind(folders: tuple[Path, Path], tmp_path: Path) -> None:
    source, target = folders
    put(source, b"draft", name="drafts")
    (source / MANDATE / "drafts").mkdir()
    (source / MANDATE / "drafts" / str(new_id())).write_bytes(b"half")
    (tmp_path / "outside").write_bytes(b"outside")
    name = hashlib.sha256(b"outside").hexdigest()
    (source / MANDATE / name[:2]).mkdir()
    (source / MANDATE / name[:2] / name).symlink_to(tmp_path / "outside")
    assert copy_contents(source, target) == BackupResult()
    assert not target.exists()


def test_without_a_folder_there_is_nothing_to_copy(folders: tuple[Path, Path]) -> None:
    assert copy_contents(*folders) == BackupResult()
