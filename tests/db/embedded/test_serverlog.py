"""The log: kept small, and able to say what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from workroom.db.embedded.serverlog import ServerLog


@pytest.fixture
def log(tmp_path: Path) -> ServerLog:
    return ServerLog(tmp_path / "log" / "postgres.log")


def write(log: ServerLog, text: str) -> None:
    with log.open() as file:
        file.write(text.encode())


def test_a_large_log_is_set_aside_at_the_next_start(log: ServerLog) -> None:
    write(log, "x" * 6_000_000)
    write(log, "fresh")
    assert log.path.read_text() == "fresh"
    assert log.path.with_name("postgres.log.1").stat().st_size == 6_000_000
    write(log, " and more")
    assert log.path.read_text() == "fresh and more"
    assert log.path.stat().st_mode & 0o777 == 0o600


STAMP = "2026-11-15 10:00:00.000 UTC [17] "


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            f"{STAMP}LOG:  starting PostgreSQL\n{STAMP}FATAL:  disk full.\n{STAMP}LOG:  database system is shut down",
            "disk full",
        ),
        (f"{STAMP}FATAL:  one\n{STAMP}FATAL:  two\n{STAMP}PANIC:  three\n", "two; three"),
        (f"{STAMP}FATAL:  same\n{STAMP}FATAL:  same\n", "same"),
        (f"{STAMP}LOG:  could not bind\n{STAMP}LOG:  database system is shut down\n", "could not bind"),
        (
            'initdb: error: could not create directory "x": No space left\n',
            'could not create directory "x": No space left',
        ),
        ("postgres: cannot load libxyz.so\n", "postgres: cannot load libxyz.so"),
        ("", "it said nothing"),
    ],
)
def test_the_complaint_is_what_mattered(log: ServerLog, text: str, complaint: str) -> None:
    write(log, text)
    assert log.complaint() == complaint


def test_older_complaints_are_not_repeated(log: ServerLog) -> None:
    write(log, f"{STAMP}FATAL:  yesterday\n")
    write(log, f"{STAMP}LOG:  today\n")
    assert log.complaint() == "today"
