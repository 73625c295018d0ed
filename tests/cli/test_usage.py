"""Commands that do not exist, lack something, or come too early."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults.command import run
from tests.faults.process import free_port
from workroom import __version__


@pytest.mark.parametrize(
    "args",
    [
        ("dance",),
        ("serve", "--loud"),
        ("serve", "--port", "abc"),
        ("users", "suspend"),
        ("tokens", "create", "admin"),
        ("tokens", "create", "admin", "--name", "x", "--days", "0"),
        ("db", "init"),
        ("db", "restore"),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_exit_code_2_and_says_what_is_wrong(args: tuple[str, ...], tmp_path: Path) -> None:
    outcome = run(*args, DATA=tmp_path / "data", PORT=free_port())
    assert outcome.code == 2
    assert "Usage: " in outcome.err
    assert "Traceback" not in outcome.err
    assert re.search(r"No such|Missing|Invalid value", outcome.err)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", ["users list", "tokens list", "db status", "db backup", "db index", "worker"])
def test_nothing_runs_there(command: str, tmp_path: Path) -> None:
    outcome = run(*command.split(), DATA=tmp_path, PORT=free_port())
    outcome.refused(5, "is not running", str(tmp_path), "`workroom serve`")
    assert list(tmp_path.iterdir()) == [], "asking changes nothing"


def test_version_and_help() -> None:
    assert run("--version").fine() == f"workroom {__version__}\n"
    told = run("--help").fine()
    assert all(command in told for command in ("serve", "worker", "db", "users", "tokens", "doctor"))
