"""What a task can require of its evidence. A check answers with what is wrong, or with nothing. Each looks at data or at what the
run did; only `AnswerCheck` reads the answer, for a number or name that nobody can know without the data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from evals.checks import CallPattern, Value, arguments_match
from evals.text_match import as_number, contains, contains_number
from evals.tools.evidence import Contents, Evidence, FileState, NoteState, TodoState
from evals.turns import ToolUse
from workroom.core.wire import Wire

Words = str | list[str]


class BaseCheck(Wire):
    @abstractmethod
    def problem(self, evidence: Evidence) -> str | None:
        """What is wrong, in a few words; None if it is as it must be."""


class ExistenceCheck(BaseCheck):
    """Something that exists afterwards, `count` times if that is given; or, with `exists = false`, something that does not."""

    exists: bool = True
    count: int | None = Field(None, ge=1)

    def problem(self, evidence: Evidence) -> str | None:
        matches = self.matches(evidence.after)
        wanted = self.count if self.exists else 0
        if matches == wanted or (wanted is None and matches):
            return None
        return f"{self.description}: {matches} instead of {wanted or ('1 or more' if self.exists else 0)}"

    @abstractmethod
    def matches(self, contents: Contents) -> int: ...

    @property
    def description(self) -> str:
        given = self.model_dump(exclude={"check", "exists", "count"}, exclude_none=True, mode="json", by_alias=True)
        named = ", ".join(f"{name} {value}" for name, value in given.items() if value != "")
        return " ".join(filter(None, [str(getattr(self, "check", "")), named]))


class NoteCheck(ExistenceCheck):
    check: Literal["note"]
    title: Words = ""
    text: Words = ""

    def matches(self, contents: Contents) -> int:
        return sum(map(self._fits, contents.notes))

    def _fits(self, note: NoteState) -> bool:
        return contains(note.title, self.title) and contains(note.text, self.text)


class TodoCheck(ExistenceCheck):
    """`undated`: it has no due date."""

    check: Literal["todo"]
    title: Words = ""
    due: date | None = None
    done: bool | None = None
    undated: bool | None = None

    def matches(self, contents: Contents) -> int:
        return sum(map(self._fits, contents.todos))

    def _fits(self, todo: TodoState) -> bool:
        is_due = self.due is None or todo.due == self.due
        is_dated_right = self.undated is None or self.undated == (todo.due is None)
        return contains(todo.title, self.title) and is_due and is_dated_right and self.done in (None, todo.done)


class FileCheck(ExistenceCheck):
    """`name` and `folder` are whole, the case of letters aside; `tags` are some of those it has."""

    check: Literal["file"]
    name: str | None = None
    text: Words = ""
    folder: str | None = None
    tags: list[str] = Field(default_factory=list)

    def matches(self, contents: Contents) -> int:
        return sum(map(self._fits, contents.files))

    def _fits(self, file: FileState) -> bool:
        is_named = self.name is None or file.name.casefold() == self.name.casefold()
        is_there = self.folder is None or file.folder.casefold() == self.folder.casefold()
        is_tagged = {tag.casefold() for tag in self.tags} <= {tag.casefold() for tag in file.tags}
        return is_named and is_there and is_tagged and contains(file.text, self.text)


class UnchangedCheck(BaseCheck):
    """Nothing was written: notes, todos and files are what they were."""

    check: Literal["unchanged"]

    def problem(self, evidence: Evidence) -> str | None:
        changed = [
            name
            for name in ("notes", "todos", "files")
            if not _same(getattr(evidence.before, name), getattr(evidence.after, name))
        ]
        return f"changed: {', '.join(changed)}" if changed else None


class CallCheck(CallPattern, BaseCheck):
    """There was such a call, and it did not fail. `file`: it is about the file of that name. `turn` counts messages from 1.
    `called = false`: there was none."""

    check: Literal["call"]
    file: str | None = None
    turn: int | None = Field(None, ge=1)
    called: bool = True

    def problem(self, evidence: Evidence) -> str | None:
        turns = evidence.turns if self.turn is None else evidence.turns[self.turn - 1 : self.turn]
        called = any(self._fits(call, evidence) for turn in turns for call in turn.calls)
        if called == self.called:
            return None
        return f"{'no call' if self.called else 'a call'} of {self.described(self.file)}"

    def _fits(self, call: ToolUse, evidence: Evidence) -> bool:
        return call.ok and self.matches(call) and self._is_about_file(call, evidence)

    def _is_about_file(self, call: ToolUse, evidence: Evidence) -> bool:
        if self.file is None:
            return True
        names = {self.file.casefold(), *map(str, evidence.file_ids(self.file))}
        return any(str(value).casefold() in names for value in _flattened(call.arguments.values()))


class CalculationCheck(BaseCheck):
    """`calculate` came to this number, rounded to as many places as the number has here."""

    check: Literal["calculation"]
    result: Decimal

    def problem(self, evidence: Evidence) -> str | None:
        results = [number for call in evidence.calls if (number := _calculated(call)) is not None]
        if any(_rounded_like(number, self.result) == self.result for number in results):
            return None
        return f"calculate came to {', '.join(map(str, results)) or 'nothing'}, not to {self.result}"


class CitationCheck(BaseCheck):
    """An answer cites this file; with `cited = false`, none does."""

    check: Literal["citation"]
    file: str
    cited: bool = True

    def problem(self, evidence: Evidence) -> str | None:
        marks = frozenset().union(*(turn.cited for turn in evidence.turns))
        if bool(marks & evidence.file_ids(self.file)) == self.cited:
            return None
        return f"{self.file} is {'not ' if self.cited else ''}cited"


class PlanCheck(BaseCheck):
    """The model made a plan with a call of this tool. One that rules made in its place does not count."""

    check: Literal["plan"]
    tool: str
    arguments: dict[str, Value] = Field(default_factory=dict)

    def problem(self, evidence: Evidence) -> str | None:
        plans = [plan for turn in evidence.turns for plan in turn.plans]
        calls = [call for plan in plans if not plan.fallback for step in plan.steps for call in step.tool_calls]
        if any(call.tool == self.tool and arguments_match(call.arguments, self.arguments) for call in calls):
            return None
        made = ", ".join(call.tool for call in calls) or ("rules only" if plans else "none")
        return f"no plan with {self.tool}: {made}"


class PauseCheck(BaseCheck):
    """The user was asked: a `confirmation`, a `proposal`, a `question` or a `choice`."""

    check: Literal["pause"]
    kinds: list[Literal["confirmation", "proposal", "question", "choice"]] = Field(min_length=1)

    def problem(self, evidence: Evidence) -> str | None:
        asked = {kind for turn in evidence.turns for kind in turn.pauses}
        return None if asked & set(self.kinds) else f"the user was not asked ({' or '.join(self.kinds)})"


class AnswerCheck(BaseCheck):
    """The last answer contains a number or a name that stands in the data and nowhere else. For nothing else: a model may say
    the same in many ways."""

    check: Literal["answer"]
    number: Decimal | None = None
    name: Words = ""

    @model_validator(mode="after")
    def _is_about_something(self) -> AnswerCheck:
        if self.number is None and not self.name:
            raise ValueError("a number or a name")
        return self

    def problem(self, evidence: Evidence) -> str | None:
        if self.number is not None and not contains_number(evidence.answer, self.number):
            return f"the answer does not contain {self.number}"
        return None if contains(evidence.answer, self.name) else f"the answer does not contain {self.name}"


Check = Annotated[
    NoteCheck
    | TodoCheck
    | FileCheck
    | UnchangedCheck
    | CallCheck
    | CalculationCheck
    | CitationCheck
    | PlanCheck
    | PauseCheck
    | AnswerCheck,
    Field(discriminator="check"),
]


def _same(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whatever their order."""
    return sorted(map(repr, before)) == sorted(map(repr, after))


def _flattened(values: Any) -> list[Any]:
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def _calculated(call: ToolUse) -> Decimal | None:
    return as_number(call.data.get("result")) if call.tool == "calculate" and call.ok else None


def _rounded_like(number: Decimal, example: Decimal) -> Decimal:
    exponent = example.as_tuple().exponent
    assert isinstance(exponent, int)  # TOML and JSON have no number that is none
    return round(number, -exponent) if exponent < 0 else number
