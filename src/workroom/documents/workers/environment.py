"""Command line and environment of a child. Environments contain secrets, so only the variables named here are passed on."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_KEPT = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "TESSDATA_PREFIX",
    "SYSTEMROOT",
)
_SET = {
    "PYTHONUTF8": "1",
    "MALLOC_ARENA_MAX": "2",  # arenas are address space, which is what is limited
    "OMP_THREAD_LIMIT": "1",  # the pool is what runs in parallel
    "OPENBLAS_NUM_THREADS": "1",
}


def environment(scratch: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    modules = os.pathsep.join(os.path.abspath(entry) for entry in sys.path if entry)
    return kept | _SET | {"PYTHONPATH": modules, "TMPDIR": str(scratch), "HOME": str(scratch)}


def command(memory_mb: int, seconds: float, scratch: Path, modules: Sequence[str]) -> list[str]:
    # -P: the folder it happens to be started in is no place to import from.
    start = [sys.executable, "-P", "-m", "workroom.documents.workers.child"]
    limits = ["--memory-mb", str(memory_mb), "--seconds", str(seconds), "--scratch", str(scratch)]
    return [*start, *limits, *(part for name in modules for part in ("--module", name))]
