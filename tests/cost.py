"""`python -m tests.cost tests/files tests/db`: the processor time each of them takes, with every process they start.

On a busy machine time that passes says little; this says what a change to the tests saved. Servers that outlive whoever
started them are counted too: on Linux their time comes to us when they end.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from collections.abc import Sequence

ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER


def cost(command: Sequence[str]) -> tuple[int, float]:
    """The exit code, and seconds of processor time."""
    before = _spent()
    ended = subprocess.run(command, check=False)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:  # whoever became ours and has ended
            pass
    return ended.returncode, _spent() - before


def _spent() -> float:
    times = os.times()
    return times.children_user + times.children_system


def main(places: Sequence[str]) -> int:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    worst, told = 0, []
    for place in places:
        code, seconds = cost([sys.executable, "-m", "pytest", "-q", "-m", "not drill", place])
        worst = max(worst, code)
        told.append(f"{seconds:8.1f} s  {place}")
    print("\n".join(told))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["tests"]))
