"""Where a plan stands, from its results alone. Pure, so it is the same before and after a crash: nothing else is remembered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from workroom.agent.planning.intents import Intent, named
from workroom.agent.planning.presentation import PLAIN, Presenter, outcome, refused
from workroom.agent.planning.references import Unresolved, arguments_of, is_private
from workroom.agent.planning.wording import say
from workroom.agent.tool import Tool
from workroom.core.plans import Plan, PlannedStep, StepOutcome
from workroom.core.results import ResultStatus, ToolResult


@dataclass(frozen=True)
class NextCall:
    """Its arguments are resolved."""

    step: int
    call: int
    tool: str
    arguments: dict[str, Any]
    private: bool = False  # words of what was read for the one who asked


@dataclass(frozen=True)
class PlanPosition:
    """`done` are the steps that have ended, in their order; no `next`: the plan is carried out."""

    done: tuple[StepOutcome, ...]
    next: NextCall | None = None


@dataclass(frozen=True)
class PlanProgress:
    plan: Plan
    intents: Sequence[Intent]
    presenters: Mapping[str, Presenter]
    tools: Mapping[str, Tool]
    language: str

    def standing(self, results: Sequence[ToolResult]) -> PlanPosition:
        """`results` of the calls that were made, in their order. A step that comes to nothing ends there; the next ones are
        carried out all the same, unless they need it or change something."""
        coming, known = iter(results), dict[tuple[int, int], ToolResult]()
        done: list[StepOutcome] = []
        for index, step in enumerate(self.plan.steps):
            ended = self._held_back(index, step, done)
            of_step: list[ToolResult] = []
            for number, call in enumerate(step.tool_calls if ended is None else ()):
                try:
                    arguments = arguments_of(call.arguments, index, number, known)
                except Unresolved:
                    ended = self._ended(index, step, ResultStatus.ERROR, say("depends", self.language))
                    break
                if not self._fits(call.tool, arguments):
                    ended = self._ended(index, step, ResultStatus.ERROR, say("unfitting", self.language))
                    break
                if (result := next(coming, None)) is None:
                    private = is_private(call.arguments, index, number, known)
                    return PlanPosition(tuple(done), NextCall(index, number, call.tool, arguments, private))
                if (refusal := refused(result, self.presenter(index), self.language)) is not None:
                    ended = self._ended(index, step, *refusal, private=result.untrusted)
                    break
                known[index, number] = result
                of_step.append(result)
            done.append(
                ended or outcome(step, self._intent(step), self.presenter(index), of_step, self.language, tuple(done))
            )
        return PlanPosition(self._noted(done))

    def _noted(self, done: Sequence[StepOutcome]) -> tuple[StepOutcome, ...]:
        """The last one says so when rules have planned instead of the model."""
        if not self.plan.fallback or not done:
            return tuple(done)
        message = f"{done[-1].message} {say('plannedByRules', self.language)}".strip()
        return (*done[:-1], done[-1].model_copy(update={"message": message}))

    def presenter(self, index: int) -> Presenter:
        return self.presenters.get(self._intent(self.plan.steps[index]).shows, PLAIN)

    def _intent(self, step: PlannedStep) -> Intent:
        return named(self.intents, step.intent) or Intent(name=step.intent)

    def _held_back(self, index: int, step: PlannedStep, done: Sequence[StepOutcome]) -> StepOutcome | None:
        """Who asked for one thing after another may not want the second without the first."""
        if all(one.status is ResultStatus.OK for one in done) or not any(self._writes(step)):
            return None
        return self._ended(index, step, ResultStatus.ERROR, say("heldBack", self.language))

    def _writes(self, step: PlannedStep) -> Iterator[bool]:
        return (tool.effect != "read" for call in step.tool_calls if (tool := self.tools.get(call.tool)) is not None)

    def _fits(self, name: str, arguments: dict[str, Any]) -> bool:
        """What was not known when the plan was checked; a tool that is gone is the call's own error."""
        try:
            if (tool := self.tools.get(name)) is not None:
                tool.read_arguments(arguments)
        except ValidationError:
            return False
        return True

    def _ended(
        self, index: int, step: PlannedStep, status: ResultStatus, message: str, *, private: bool = False
    ) -> StepOutcome:
        return StepOutcome(index=index, intent=step.intent, status=status, message=message, private=private)
