"""What checks have in common: they answer with what is wrong, or with nothing, and many of them look for a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pydantic import Field

from evals.text_match import as_number, contains
from evals.turns import ToolUse
from workroom.core.wire import Wire

Value = str | bool | int | float
Evidence = TypeVar("Evidence", contravariant=True)
AnyEvidence = TypeVar("AnyEvidence")


class Checks(Protocol[Evidence]):
    def problem(self, evidence: Evidence, /) -> str | None:
        """What is wrong, in a few words; None if it is as it must be."""


class CallPattern(Wire):
    """A call of one of the `tools`, with arguments that match: texts contain, other values are equal."""

    tools: list[str] = Field(min_length=1)
    arguments: dict[str, Value] = Field(default_factory=dict)

    def matches(self, call: ToolUse) -> bool:
        return call.tool in self.tools and arguments_match(call.arguments, self.arguments)

    def described(self, *more: str | None) -> str:
        about = [*(f"{name} {value}" for name, value in self.arguments.items()), *filter(None, more)]
        return " or ".join(self.tools) + (f" with {', '.join(about)}" if about else "")


def problems(checks: Sequence[Checks[AnyEvidence]], evidence: AnyEvidence) -> list[str]:
    return [problem for check in checks if (problem := check.problem(evidence)) is not None]


def arguments_match(arguments: Mapping[str, Any], wanted: Mapping[str, Value]) -> bool:
    return all(name in arguments and _matches(arguments[name], value) for name, value in wanted.items())


def _matches(argument: Any, wanted: Value) -> bool:
    if isinstance(argument, list):
        return any(_matches(item, wanted) for item in argument)
    if isinstance(wanted, str):
        return contains(str(argument), wanted)
    if isinstance(wanted, bool) or isinstance(argument, bool):
        return argument is wanted
    return as_number(argument) == as_number(wanted)
