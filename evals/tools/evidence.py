"""What a task left behind: everything that checks look at. Values only, so that a check can be tested without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from workroom.core.plans import Plan
from workroom.core.run_events import RunState


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
class ToolUse:
    """A call with its result. `ok`: it was carried out and did not end in an error."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ok: bool = True
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """What followed one message of the user. `pauses` are the kinds of what the user was asked; `cited` are file ids."""

    state: RunState = RunState.COMPLETED
    calls: Sequence[ToolUse] = ()
    plans: Sequence[Plan] = ()
    pauses: Sequence[str] = ()
    answer: str = ""
    cited: frozenset[UUID] = frozenset()


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
