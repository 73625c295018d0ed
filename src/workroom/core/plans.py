"""A plan: what a request comes to, step by step, each step with its calls; and what became of a step.

Arguments may refer to what came before: `{"$from": {"call": 0, "pointer": "/items/0/egrid"}}` is a value in the result of an
earlier call (of the same step, or of `step`), `{"$selection": "/egrid"}` one of what the call before found or the user chose.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from workroom.core.actions import UiAction
from workroom.core.pauses import Option
from workroom.core.results import ResultStatus
from workroom.core.wire import Wire

VERSION: Literal[1] = 1
MOST_STEPS = 12
MOST_CALLS = 6  # per step


class PlannedCall(Wire):
    tool: str = Field(max_length=100)
    arguments: dict[str, Any] = Field(default_factory=dict)


class PlannedResult(Wire):
    """`pending` until the step is done. A step that asks back, or that is answered with the plan, says so here."""

    status: Literal["pending", "ok", "needs_clarification"] = "pending"
    message: str = Field("", max_length=20_000)


class PlannedStep(Wire):
    intent: str = Field(max_length=60)
    tool_calls: list[PlannedCall] = Field(default_factory=list, max_length=MOST_CALLS)
    result: PlannedResult = PlannedResult()


class Plan(Wire):
    """`fallback`: made by rules, because the model that was asked sent none that can be carried out."""

    version: Literal[1] = VERSION
    request_id: str
    steps: list[PlannedStep] = Field(min_length=1, max_length=MOST_STEPS)
    fallback: bool = False

    @property
    def calls_tools(self) -> bool:
        return any(step.tool_calls for step in self.steps)


class StepOutcome(Wire):
    """What became of a step: what to say, what to do on the map, what to choose from."""

    index: int
    intent: str
    status: ResultStatus
    message: str
    actions: list[UiAction] = Field(default_factory=list)
    options: list[Option] = Field(default_factory=list)
    private: bool = False  # its message quotes what was read for the one who asked


SEVERITY = (
    ResultStatus.OK,
    ResultStatus.NEEDS_USER_CHOICE,
    ResultStatus.NEEDS_CLARIFICATION,
    ResultStatus.ERROR,
)


def overall(statuses: list[ResultStatus]) -> ResultStatus:
    """The worst of them."""
    return max(statuses, key=SEVERITY.index, default=ResultStatus.OK)
