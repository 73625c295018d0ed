"""The most memory this process has needed, in megabytes. Standard library only: peers import it too."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def highest(pid: int | str = "self") -> float:
    """Not `ru_maxrss`, where there is something better: on Linux a new process begins with that of the one that started it,
    so a large bench made every small job look as large as itself."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
