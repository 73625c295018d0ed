"""The folder one happens to stand in brings no code into the program."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.process import Workroom


def test_modules_of_the_current_folder_are_not_imported(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "imported"
    for name in ("typer", "asyncpg", "workroom"):
        (tmp_path / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write({name!r})\nraise ImportError")
    monkeypatch.chdir(tmp_path)
    with Workroom(data) as running:
        assert running.worker_pid is not None
        assert os.path.samefile(f"/proc/{running.pid}/cwd", tmp_path)
    assert not trace.exists()
