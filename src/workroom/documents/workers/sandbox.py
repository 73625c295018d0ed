"""Resource limits that a child sets on itself before it opens a document, as far as the system supports them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

_NICENESS = 5
_FILES = 256
_LARGEST_FILE = 1 << 30
_TO_THE_NETWORK = (
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.sendmsg",
    "socket.getaddrinfo",
    "urllib.Request",
)


def apply_limits(memory_mb: int) -> None:
    """Set the limits, once, after all imports."""
    import resource

    with suppress(OSError):
        os.nice(_NICENESS)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, _FILES)
    _limit(resource.RLIMIT_FSIZE, _LARGEST_FILE)
    _limit(resource.RLIMIT_AS, memory_mb << 20)
    sys.addaudithook(_refuse_network)


def allow_seconds(seconds: float) -> None:
    """Limit CPU time from now on: the system ends a process that hangs in native code."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime + seconds) + 2
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (until if most == resource.RLIM_INFINITY else min(until, most), most))


def is_worn_out(memory_mb: int) -> bool:
    """Whether the process has kept so much memory after a job that it should be replaced."""
    try:
        with open("/proc/self/statm", "rb") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return False
    return resident > (memory_mb << 20) // 2


def _limit(what: int, most: int) -> None:
    import resource

    with suppress(OSError, ValueError):  # macOS has the names, not all of the limits
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, allowed))


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook that refuses network access. Second line of defence: extractors do not open addresses."""
    if event in _TO_THE_NETWORK:
        raise PermissionError("Readers of documents have no network.")
