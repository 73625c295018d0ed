"""Whether a plan can be carried out: intents that are known, tools that are there, arguments that fit, and nothing that
points at itself or ahead. Every problem in words, for the planner to mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from workroom.agent.planning.intents import ANYTHING, QUESTION, Intent, named
from workroom.agent.planning.references import MOST_REFERENCES, references
from workroom.agent.registry import HAND_OFF
from workroom.agent.tool import Tool
from workroom.core.plans import Plan, PlannedCall, PlannedStep

MOST_PROBLEMS = 20


def usable(intents: Sequence[Intent], tools: Mapping[str, Tool]) -> tuple[Intent, ...]:
    """What an agent can be asked for with these tools. Without intents of its own: whatever its tools can do."""
    if intents:
        return tuple(one for one in intents if all(name in tools for name in one.tools))
    return (ANYTHING.model_copy(update={"tools": sorted(tools.keys() - {HAND_OFF})}), QUESTION)


def problems(plan: Plan, intents: Sequence[Intent], tools: Mapping[str, Tool]) -> list[str]:
    return list(_problems(plan, intents, tools))[:MOST_PROBLEMS]


def _problems(plan: Plan, intents: Sequence[Intent], tools: Mapping[str, Tool]) -> Iterator[str]:
    for at, step in enumerate(plan.steps):
        intent = named(intents, step.intent)
        if intent is None:
            yield f"step {at}: there is no intent {step.intent!r}; there are {', '.join(one.name for one in intents)}"
            continue
        if not step.tool_calls and step.result.status == "pending" and (intent.tools or intent.shows == "plain"):
            calls = f"calls of {', '.join(intent.tools)}, or " if intent.tools else ""
            yield f"step {at}: {intent.name} takes {calls}a result with a message"
        if step.tool_calls and step.result.status != "pending":
            yield f"step {at}: a step with calls is pending until they are made"
        for number, call in enumerate(step.tool_calls):
            where = f"step {at}, call {number} ({call.tool})"
            yield from (f"{where}: {problem}" for problem in _of_call(plan.steps, at, number, call, intent, tools))


def _of_call(
    steps: Sequence[PlannedStep], at: int, number: int, call: PlannedCall, intent: Intent, tools: Mapping[str, Tool]
) -> Iterator[str]:
    tool = tools.get(call.tool)
    if tool is None or call.tool not in intent.tools:
        yield f"{intent.name} has these tools: {', '.join(intent.tools) or 'none'}"
        return
    fields = tool.arguments.model_fields
    if unknown := sorted(call.arguments.keys() - fields.keys()):
        yield f"it has no {', '.join(unknown)}; its parameters are {', '.join(fields) or 'none'}"
    if missing := [name for name, field in fields.items() if field.is_required() and name not in call.arguments]:
        yield f"it needs {', '.join(missing)}"
    counted = 0
    for name, value in call.arguments.items():
        try:
            pointing = list(references(value, at, number))
            counted += len(pointing)
            if counted > MOST_REFERENCES:
                raise ValueError(f"a call has at most {MOST_REFERENCES} references in it")
        except ValueError as error:
            yield f"{name}: {error}"
            continue
        for found in pointing:
            if found.step >= len(steps) or found.call >= len(steps[found.step].tool_calls):
                yield f"{name}: there is no call {found.call} in step {found.step}"
        if not pointing and name in fields and (problem := _unfit(fields[name], value)):
            yield f"{name}: {problem}"


def _unfit(field: Any, value: Any) -> str:
    """What is known already can be checked already; what is not, when it is."""
    annotated: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
    try:
        annotated.validate_python(value)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return ""
