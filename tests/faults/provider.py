"""The scripted provider as a process of its own, beside servers and workers that are processes too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def scripted_provider(behaviour: str = "writer") -> Iterator[str]:
    """Its base URL, for WORKROOM_MODEL_URL."""
    command = [sys.executable, "-P", "-m", "workroom.models.testing.scripted", "--port", "0", "--behaviour", behaviour]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
