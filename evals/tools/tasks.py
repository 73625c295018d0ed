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

from evals.tools.checks import Check
from workroom.core.errors import InvalidInput
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


class FileSetUp(Wire):
    """A text file, or with `pages` a PDF. `attached`: it comes with the first message; else it only lies in the workspace."""

    name: str
    text: str | None = None
    pages: list[str] = Field(default_factory=list)
    attached: bool = False

    @model_validator(mode="after")
    def _has_content(self) -> FileSetUp:
        if (self.text is None) == (not self.pages):
            raise ValueError("text or pages")
        if bool(self.pages) != self.name.endswith(".pdf"):
            raise ValueError("pages make a PDF")
        return self


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
    """Selectors are languages, kinds or ids. Those of one sort are alternatives; of different sorts, all must hold."""
    languages = set(selectors) & {task.language for task in tasks}
    kinds = set(selectors) & {task.kind.value for task in tasks}
    ids = set(selectors) & {task.id for task in tasks}
    if unknown := set(selectors) - languages - kinds - ids:
        known = ", ".join([*LANGUAGES, *(kind.value for kind in TaskKind)])
        raise InvalidInput(f"There is no task, kind or language {', '.join(sorted(unknown))}. There are {known}.")
    chosen = [
        task
        for task in tasks
        if task.language in (languages or {task.language})
        and task.kind.value in (kinds or {task.kind.value})
        and task.id in (ids or {task.id})
    ]
    return chosen[:limit]
