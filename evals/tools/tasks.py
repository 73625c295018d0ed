"""A task as a value, read from `data/`: what lies in a new workspace, what the user writes, what must be true afterwards."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from evals.selection import selected as selected_by
from evals.set_up_files import FileSetUp
from evals.tools.checks import Check
from workroom.core.languages import LANGUAGES, Language
from workroom.core.wire import Wire

FOLDER = Path(__file__).parent / "data"


class TaskKind(StrEnum):
    NOTES = "notes"
    TODOS = "todos"
    SUMS = "sums"
    FILES = "files"
    PAGES = "pages"
    TABLES = "tables"
    CITATIONS = "citations"
    FOLLOW_UPS = "followUps"
    PLANS = "plans"
    REFUSALS = "refusals"
    BASICS = "basics"  # of one step, for the smallest models


class NoteSetUp(Wire):
    title: str
    text: str


class TodoSetUp(Wire):
    title: str
    due: date | None = None
    done: bool = False


class Task(Wire):
    """`confirms`: whether the user says yes when asked for a confirmation. `reply` is what they answer to questions; without one
    they leave the decision to the agent. `agent` is the slug of a shipped one."""

    id: str = Field(pattern=r"^[a-z]{2}-[a-zA-Z]+-[1-9]$")
    language: Language
    kind: TaskKind
    messages: list[str] = Field(min_length=1)
    checks: list[Check] = Field(min_length=1)
    notes: list[NoteSetUp] = Field(default_factory=list)
    todos: list[TodoSetUp] = Field(default_factory=list)
    files: list[FileSetUp] = Field(default_factory=list)
    agent: Literal["assistant", "navigator"] = "assistant"
    confirms: bool = True
    reply: str | None = None

    @model_validator(mode="after")
    def _is_named_after_what_it_is(self) -> Task:
        if self.id[:-2] != f"{self.language}-{self.kind.value}":
            raise ValueError(f"the id begins with {self.language}-{self.kind.value}")
        return self


@cache
def all_tasks() -> Sequence[Task]:
    """In the order of the languages and of their files."""
    return [task for language in LANGUAGES for task in read(FOLDER / f"{language}.toml", language)]


def read(path: Path, language: Language) -> Sequence[Task]:
    written = tomllib.loads(path.read_text("utf-8"))
    return [Task.model_validate({"language": language, **task}) for task in written["task"]]


def selected(tasks: Sequence[Task], selectors: Sequence[str], limit: int | None = None) -> Sequence[Task]:
    """Selectors are languages, kinds or ids."""
    sorts = (lambda task: task.kind.value, lambda task: task.language, lambda task: task.id)
    return selected_by(tasks, selectors, sorts, "task", [*LANGUAGES, *TaskKind], limit)
