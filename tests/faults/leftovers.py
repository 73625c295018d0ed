"""Which processes work in a folder, and how to end them: by number, each one looked at again before it is signalled."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import psutil

_SECONDS = 30.0


def processes_of(folder: Path) -> list[psutil.Process]:
    """Everything whose command line, working folder or WORKROOM_DATA lies in this folder; not the tests themselves."""
    return [process for process in psutil.process_iter() if _belongs(process, folder)]


def wait_until_gone(folder: Path, seconds: float = _SECONDS) -> list[psutil.Process]:
    """What still runs after so many seconds; a killed PostgreSQL's helpers end by themselves, a moment later."""
    give_up = time.monotonic() + seconds
    for process in processes_of(folder):
        is_over(process, give_up - time.monotonic())
    return processes_of(folder)


def is_over(process: psutil.Process, seconds: float = _SECONDS) -> bool:
    """Whether a process ends within so many seconds. One that nobody has buried yet counts: orphans wait for that."""
    give_up = time.monotonic() + seconds
    while _is_alive(process):
        if time.monotonic() > give_up:
            return False
        psutil.wait_procs([process], timeout=0.05)
    return True


def end_all(folder: Path) -> None:
    """Kill whatever still works in this folder, until nothing does: a dying `serve` may have just started a worker."""
    for _ in range(5):
        found = processes_of(folder)
        if not found:
            return
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()  # psutil compares the start time: a number used again is not this process
        for process in found:
            is_over(process)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _belongs(process: psutil.Process, folder: Path) -> bool:
    try:
        if process.pid == os.getpid() or not _is_alive(process):
            return False
        if process.name() not in ("postgres", "initdb", "unshare") and "workroom" not in " ".join(process.cmdline()):
            return False
        words = [*process.cmdline(), _known(process.cwd), _known(lambda: process.environ().get("WORKROOM_DATA", ""))]
    except psutil.Error:
        return False
    return any(word == str(folder) or f"{folder}/" in word for word in words)


def _known(ask: Callable[[], str]) -> str:
    """Of another user's process not everything can be seen."""
    try:
        return ask()
    except psutil.AccessDenied:
        return ""
