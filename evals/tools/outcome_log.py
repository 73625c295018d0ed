"""Outcomes as lines of JSON, with what was called and said: for a look at what the checks have judged."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from evals.tools.runner import TaskOutcome

_OUTCOME = TypeAdapter(TaskOutcome)


class OutcomeLog:
    """Adds to a file; does nothing without one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def add(self, outcome: TaskOutcome) -> None:
        if self._path is None:
            return
        line = _OUTCOME.dump_json(outcome, exclude={"task": {"messages", "checks", "notes", "todos", "files"}})
        with self._path.open("ab") as file:
            file.write(line + b"\n")
