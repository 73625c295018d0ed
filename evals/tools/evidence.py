"""What a task left behind: everything that checks look at. Values only, so that a check can be tested without a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from evals.turns import ToolUse, Turn


@dataclass(frozen=True)
class NoteState:
    title: str
    text: str = ""


@dataclass(frozen=True)
class TodoState:
    title: str
    due: date | None = None
    done: bool = False


@dataclass(frozen=True)
class FileState:
    """`folder` is a path such as `Finance/2031`, empty at the top. `text` is empty for files that are not text."""

    id: UUID
    name: str
    text: str = ""
    folder: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contents:
    """Everything in a workspace that is not in the trash."""

    notes: Sequence[NoteState] = ()
    todos: Sequence[TodoState] = ()
    files: Sequence[FileState] = ()


@dataclass(frozen=True)
class Evidence:
    before: Contents = Contents()
    after: Contents = Contents()
    turns: Sequence[Turn] = ()

    @property
    def calls(self) -> Iterator[ToolUse]:
        return (call for turn in self.turns for call in turn.calls)

    @property
    def answer(self) -> str:
        """What was said last."""
        return self.turns[-1].answer if self.turns else ""

    def file_ids(self, name: str) -> frozenset[UUID]:
        """Of the files that have, or had, this name."""
        known = (*self.before.files, *self.after.files)
        return frozenset(file.id for file in known if file.name.casefold() == name.casefold())
