"""CPU time and memory of processes, with everything they started and buried."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

import psutil


def with_children(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def seconds(processes: Iterable[psutil.Process]) -> float:
    """User and system time so far. Ended children count at whoever buried them, so none is lost between two looks."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def memory(processes: Sequence[psutil.Process]) -> int:
    """Proportional set size: shared pages count once."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            total += int(process.memory_full_info().pss)
    return total
