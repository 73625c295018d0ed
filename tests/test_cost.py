"""Processor time is that of all processes, and of those alone that were started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BURN = "import time\nwhile time.process_time() < 0.5: pass\n"
CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN!r}])"
ASK = f"import sys; from tests.cost import cost; print(*cost([sys.executable, '-c', {CHILD!r}]))"


def test_what_a_child_started_is_counted() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
    )
    code, seconds = asked.stdout.split()
    assert code == "0"
    assert float(seconds) >= 0.5
