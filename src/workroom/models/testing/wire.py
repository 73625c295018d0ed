"""Replies as JSON of the Chat Completions API: whole, in pieces, or as an error. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from workroom.core.tokens import Usage
from workroom.models.testing.replies import Call, Reply, Status

CREATED = 1_700_000_000
ID = "chatcmpl-scripted"


def completion(reply: Reply, asked_for: str) -> dict[str, Any]:
    """The answer to a request without `stream`."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [_call(call, number) for number, call in enumerate(reply.calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply), "logprobs": None}
    whole = {"object": "chat.completion", **_head(reply, asked_for), "choices": [choice]}
    return whole | ({"usage": _usage(reply.usage)} if reply.usage else {})


def pieces(reply: Reply, asked_for: str, *, usage: bool) -> Iterator[dict[str, Any]]:
    """The same as a stream; the one with the finish reason, and the one with the usage, come last."""

    def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {"object": "chat.completion.chunk", **_head(reply, asked_for), "choices": [choice]}

    yield piece({"role": "assistant", "content": ""})
    yield from (piece({"reasoning_content": text}) for text in _slices(reply.reasoning, reply.chunk))
    yield from (piece({"refusal": text}) for text in _slices(reply.refusal, reply.chunk))
    yield from (piece({"content": text}) for text in _slices(reply.text, reply.chunk))
    for number, call in enumerate(reply.calls):
        whole = _call(call, number)
        name, arguments = whole["function"]["name"], whole["function"]["arguments"]
        yield piece({"tool_calls": [whole | {"index": number, "function": {"name": name, "arguments": ""}}]})
        for text in _slices(arguments, reply.chunk):
            yield piece({"tool_calls": [{"index": number, "function": {"arguments": text}}]})
    yield piece({}, _finish(reply))
    if usage and reply.usage is not None:
        yield {
            "object": "chat.completion.chunk",
            **_head(reply, asked_for),
            "choices": [],
            "usage": _usage(reply.usage),
        }


def error(status: Status) -> dict[str, Any]:
    return {"error": {"message": status.message, "type": "scripted_error", "param": None, "code": status.code}}


def _head(reply: Reply, asked_for: str) -> dict[str, Any]:
    return {"id": ID, "created": CREATED, "model": reply.model or asked_for}


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _call(call: Call, number: int) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    made = {"id": call.id or f"call_{number}", "type": "function"}
    extra = {"extra_content": dict(call.extra)} if call.extra else {}
    return {**made, "function": {"name": call.name, "arguments": arguments}, **extra}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
    }


def _slices(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))
