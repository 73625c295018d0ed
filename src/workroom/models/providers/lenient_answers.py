"""Answers of servers that leave out what OpenAI's own always says, completed: the library reads every field of them."""

from __future__ import annotations

from typing import Any

_HEAD = {"id": "", "created": 0, "model": ""}


def completed_answer(data: object, kind: str) -> object:
    """The JSON of an answer or a piece of one (`kind` as in `object`), with what may be missing; anything else as it is."""
    if not isinstance(data, dict) or "error" in data:
        return data
    missing = {name: value for name, value in _HEAD.items() if data.get(name) is None}
    whole = {**data, **missing, "object": kind}
    choices = data.get("choices")
    if isinstance(choices, list):
        whole["choices"] = [_choice(choice, place) for place, choice in enumerate(choices)]
    elif "usage" in data:
        whole["choices"] = []
    return whole


def _choice(choice: Any, place: int) -> Any:
    if not isinstance(choice, dict):
        return choice
    whole = {"index": place, "finish_reason": None, **choice}
    delta = choice.get("delta")
    calls = delta.get("tool_calls") if isinstance(delta, dict) else None
    if isinstance(delta, dict) and isinstance(calls, list):
        numbered = [{"index": number, **call} if isinstance(call, dict) else call for number, call in enumerate(calls)]
        whole["delta"] = {**delta, "tool_calls": numbered}
    return whole
