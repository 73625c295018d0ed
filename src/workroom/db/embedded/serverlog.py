"""The server's log: where it goes, and what it says went wrong."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO

_ROTATE_ABOVE = 5 * 1024 * 1024
_READ_AT_MOST = 64 * 1024
_ENTRY = re.compile(r"\b(?P<level>PANIC|FATAL|ERROR|WARNING|LOG|HINT|DETAIL|error|fatal|hint|detail): +(?P<text>.+)$")
_SEVERE = frozenset({"PANIC", "FATAL", "ERROR", "error", "fatal"})
_SAYS_NOTHING = ("starting PostgreSQL", "listening on", "database system is shut down", "database system was shut down")


class ServerLog:
    """One file, started anew (the old one kept as `.1`) when it has grown over 5 MB."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begins = 0

    def open(self) -> IO[bytes]:
        """For the next program to write to; `complaint` speaks of what it wrote."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        if self.path.exists() and self.path.stat().st_size > _ROTATE_ABOVE:
            self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        # O_NOFOLLOW, 0600: the log is readable by us alone
        file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600), "ab")
        self._begins = file.seek(0, os.SEEK_END)
        return file

    def complaint(self) -> str:
        """What mattered in it, as part of a sentence: the severe lines, else the last ones."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(self._begins, os.fstat(file.fileno()).st_size - _READ_AT_MOST))
                lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        except OSError:
            lines = []
        entries = [(match["level"], match["text"]) for line in lines if (match := _ENTRY.search(line))]
        severe = [text for level, text in entries if level in _SEVERE]
        told = [text for _, text in entries if not text.startswith(_SAYS_NOTHING)]
        chosen = dict.fromkeys((severe or told or lines)[-2:])
        return "; ".join(text.rstrip(" .") for text in chosen) or "it said nothing"
