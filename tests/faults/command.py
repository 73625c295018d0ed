"""One command of the program, as a process: what it said, and how it ended."""

from __future__ import annotations

import functools
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import workroom
from tests.faults.warm import Warm

SECONDS = 60.0
PROGRAM = (sys.executable, "-P", "-m", "workroom")  # as the installed command: no module of the current folder


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    def refused(self, code: int, *words: str) -> None:
        """It ended with this code and one sentence that holds these words."""
        assert self.code == code, f"exit code {self.code}: {self.err or self.out}"
        assert "Traceback" not in self.err, self.err
        said = [line for line in self.err.splitlines() if line.startswith("workroom: ")]
        assert len(said) == 1, f"one sentence is wanted, not this: {self.err}"
        for word in words:
            assert word in said[0], f"{word!r} is missing in: {said[0]}"

    def fine(self) -> str:
        assert self.code == 0, f"exit code {self.code}: {self.err or self.out}"
        assert "Traceback" not in self.err, self.err
        return self.out


def run(*args: str | Path, given: str = "", **settings: object) -> Outcome:
    """`run("users", "list", DATA=folder)` is `WORKROOM_DATA=… workroom users list`."""
    with tempfile.TemporaryDirectory(prefix="wr-said-") as folder:
        files = [Path(folder) / name for name in ("in", "out", "err")]
        for file in files:
            file.write_text(given if file.name == "in" else "")
        code = _warm().run([str(arg) for arg in args], environment(settings), [str(file) for file in files], SECONDS)
        return Outcome(code, files[1].read_text(), files[2].read_text())


_warm = functools.cache(Warm)


def environment(settings: Mapping[str, object], *plugins: Path) -> dict[str, str]:
    """The tester's own environment must not decide: no WORKROOM_…, no PG…, no colours, no narrow terminal, no tesseract."""
    own = ("WORKROOM_", "PG", "FORCE_")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(own) and not name.endswith("_API_KEY")
    }
    ours = {f"WORKROOM_{name}": str(value) for name, value in settings.items() if value is not None}
    path = os.pathsep.join(map(str, [Path(workroom.__file__).parents[1], *plugins]))
    return {
        **kept,
        "PYTHONPATH": path,
        "NO_COLOR": "1",
        "COLUMNS": "200",
        "WORKROOM_RECOGNISE": "asked",
        "WORKROOM_LANGUAGE": "en",
        **ours,
    }
