"""Arguments that point at what came before. Pure: a plan's arguments and the results so far in, plain arguments out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.core.results import ToolResult

FROM, SELECTION = "$from", "$selection"
MOST_REFERENCES = 20  # per call
LARGEST = 200_000  # characters of a call's arguments, once they are resolved
Results = Mapping[tuple[int, int], ToolResult]  # by step and call


class Unresolved(Exception):
    """What an argument points at is not there: the call it comes from found nothing, or something else."""


@dataclass(frozen=True)
class Reference:
    """`step` and `call` count from 0. `pointer` is a JSON pointer into `{status, items, message, data}` of the result."""

    step: int
    call: int
    pointer: str


def reference(value: Any, step: int, call: int) -> Reference | None:
    """The reference that this value of a call's arguments is, if it is one. ValueError when it is one and makes no sense."""
    if not isinstance(value, Mapping) or not {FROM, SELECTION} & value.keys():
        return None
    if len(value) != 1:
        raise ValueError(f"a reference has {FROM} or {SELECTION} in it, and nothing else")
    if SELECTION in value:
        if call == 0:
            raise ValueError(f"{SELECTION} means what the call before found, and this is the first of its step")
        return Reference(step, call - 1, f"/items/0{_pointer(value[SELECTION])}")
    told = value[FROM]
    if not isinstance(told, Mapping) or not {"call", "pointer"} <= told.keys() <= {"step", "call", "pointer"}:
        raise ValueError(f'{FROM} is such as {{"call": 0, "pointer": "/items/0/id"}}')
    found = Reference(_number(told.get("step", step)), _number(told["call"]), _pointer(told["pointer"]))
    if (found.step, found.call) >= (step, call):
        raise ValueError("a call can only use the results of earlier ones")
    return found


def references(value: Any, step: int, call: int) -> Iterator[Reference]:
    """Every reference in there, however deep."""
    if (found := reference(value, step, call)) is not None:
        yield found
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from references(inner, step, call)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner, step, call)


def arguments_of(arguments: Mapping[str, Any], step: int, call: int, results: Results) -> dict[str, Any]:
    """What a call is made with. Unresolved also when it would be far too much."""
    made = {name: resolved(value, step, call, results) for name, value in arguments.items()}
    if len(json.dumps(made, ensure_ascii=False, default=str)) > LARGEST:
        raise Unresolved
    return made


def is_private(arguments: Mapping[str, Any], step: int, call: int, results: Results) -> bool:
    """Whether it is made with words of what was read for the one who asked."""
    found = (results.get((one.step, one.call)) for one in references(dict(arguments), step, call))
    return any(result is not None and result.untrusted for result in found)


def resolved(value: Any, step: int, call: int, results: Results) -> Any:
    if (found := reference(value, step, call)) is not None:
        if (result := results.get((found.step, found.call))) is None:
            raise Unresolved
        return _at(result.model_dump(mode="json", include={"status", "items", "message", "data"}), found.pointer)
    if isinstance(value, Mapping):
        return {name: resolved(inner, step, call, results) for name, inner in value.items()}
    if isinstance(value, list):
        return [resolved(inner, step, call, results) for inner in value]
    return value


def _at(document: Any, pointer: str) -> Any:
    found = document
    for raw in pointer.split("/")[1:]:
        key = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, Sequence) and not isinstance(found, str) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise Unresolved
    return found


def _pointer(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 300 or (value and not value.startswith("/")):
        raise ValueError("a pointer is such as /items/0/id")
    return value


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("steps and calls are counted from 0")
    return value
