"""Which processes work in a folder, and how to end them: by number, each one looked at again before it is signalled."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import psutil

_SECONDS = 10.0


def processes_of(folder: Path) -> list[psutil.Process]:
    """Everything whose command line, working folder or WORKROOM_DATA lies in this folder; not the tests themselves."""
    return [process for process in psutil.process_iter() if _belongs(process, folder)]


def wait_until_gone(folder: Path, seconds: float = _SECONDS) -> list[psutil.Process]:
    """What still runs after so many seconds; a killed PostgreSQL's helpers end by themselves, a moment later."""
    psutil.wait_procs(processes_of(folder), timeout=seconds)
    return processes_of(folder)


def end_all(folder: Path) -> None:
    """Kill whatever still works in this folder, until nothing does: a dying `serve` may have just started a worker."""
    for _ in range(5):
        found = processes_of(folder)
        if not found:
            return
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()  # psutil compares the start time: a number used again is not this process
        psutil.wait_procs(found, timeout=_SECONDS)


@contextlib.contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Ends what runs in the folder when the block is over, however it ended."""
    try:
        yield
    finally:
        end_all(folder)


def _belongs(process: psutil.Process, folder: Path) -> bool:
    try:
        if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
            return False
        if process.name() not in ("postgres", "initdb", "unshare") and "workroom" not in " ".join(process.cmdline()):
            return False
        words = [*process.cmdline(), _known(process.cwd), _known(lambda: process.environ().get("WORKROOM_DATA", ""))]
    except psutil.Error:
        return False
    return any(word == str(folder) or f"{folder}/" in word for word in words)


def _known(ask: object) -> str:
    """Of another user's process not everything can be seen."""
    try:
        return str(ask())  # type: ignore[operator]
    except psutil.AccessDenied:
        return ""
