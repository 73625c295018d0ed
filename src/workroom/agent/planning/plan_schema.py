"""The form of a plan as JSON schema: in general for the tool that takes one, and to the letter for servers that keep an answer to
a schema. There a step has only the tools of its intent, and a call only the parameters of its tool. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workroom.agent.planning.intents import Intent
from workroom.agent.planning.references import FROM, SELECTION
from workroom.agent.tool import Tool
from workroom.core.plans import MOST_CALLS, MOST_STEPS

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}


def plan_schema(intents: Sequence[Intent]) -> dict[str, Any]:
    """Parameters are told in words beside it."""
    call = _object(
        tool=_one_of(sorted({name for one in intents for name in one.tools})),
        arguments={"type": "object", "description": "Values, or references to earlier results."},
    )
    step = _object(
        intent=_one_of([one.name for one in intents]),
        toolCalls={"type": "array", "items": call, "maxItems": MOST_CALLS},
    )
    status = _one_of(["pending", "ok", "needs_clarification"])
    step["properties"]["result"] = _object(status=status) | {"properties": {"status": status, "message": TEXT}}
    return _plan(step)


def exact_plan_schema(intents: Sequence[Intent], tools: Mapping[str, Tool]) -> dict[str, Any]:
    return _plan({"anyOf": list(_steps(intents, tools))})


def _steps(intents: Sequence[Intent], tools: Mapping[str, Tool]) -> Iterator[dict[str, Any]]:
    for intent in intents:
        name = _one_of([intent.name])
        if intent.tools:
            calls = {"anyOf": [_call(tools[tool]) for tool in intent.tools]}
            yield _object(intent=name, toolCalls=_list(calls, 1, MOST_CALLS))
        elif intent.shows != "plain":
            yield _object(intent=name, toolCalls=_list({}, 0, 0))
    said = _object(status=_one_of(["ok", "needs_clarification"]), message=TEXT)
    yield _object(intent=_one_of([one.name for one in intents]), toolCalls=_list({}, 0, 0), result=said)


def _call(tool: Tool) -> dict[str, Any]:
    parameters = tool.prompt_schema.parameters
    values = {name: {"anyOf": [value, *REFERENCES]} for name, value in parameters.get("properties", {}).items()}
    arguments = {"type": "object", "properties": values, "required": list(parameters.get("required", ()))}
    return _object(tool=_one_of([tool.name]), arguments=arguments | {"additionalProperties": False})


def _plan(step: Mapping[str, Any]) -> dict[str, Any]:
    return _object(steps=_list(step, 1, MOST_STEPS))


def _list(items: Mapping[str, Any], fewest: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": fewest, "maxItems": most}


def _one_of(names: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


REFERENCES = (_object(**{SELECTION: TEXT}), _object(**{FROM: _object(step=COUNT, call=COUNT, pointer=TEXT)}))
