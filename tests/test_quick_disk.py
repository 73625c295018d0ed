"""Folders in memory do not add up: not those of tests that ended, nor those of tests that were killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.quick_disk import quick_folder

ROOT = Path(__file__).parents[1]
HOLDS = """
import sys
from tests.quick_disk import quick_folder
with quick_folder(sys.argv[1]) as folder:
    (folder / "data").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_it_is_gone_afterwards(tmp_path: Path) -> None:
    with quick_folder(str(tmp_path)) as folder:
        (folder / "below").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_one_in_use_stays_and_one_whose_tests_were_killed_is_removed_by_the_next(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as other:
        assert other.stdout
        theirs = Path(other.stdout.readline().strip())
        with quick_folder(str(tmp_path)):
            assert (theirs / "data").exists()
        other.kill()
        other.wait()
    assert theirs.exists()
    with quick_folder(str(tmp_path)) as ours:
        assert list(tmp_path.iterdir()) == [ours]
