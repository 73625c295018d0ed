"""OpenAI's Chat Completions API: `POST …/v1/chat/completions`, and `…/v1/embeddings` (see `testing/vectors.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from workroom.core.tokens import Usage
from workroom.models.testing.dialects.types import Heard, Kind, slices, texts
from workroom.models.testing.replies import Call, Reply, Status

CREATED = 1_700_000_000
ID = "chatcmpl-scripted"


def model_of(path: str, body: Mapping[str, Any]) -> str | None:
    return str(body.get("model", "")) if path.endswith(("/chat/completions", "/embeddings", "/rerank")) else None


def streams(path: str, body: Mapping[str, Any]) -> bool:
    return bool(body.get("stream"))


def tools(body: Mapping[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools", ())]


def heard(body: Mapping[str, Any]) -> Iterator[Heard]:
    kinds = {"user": Kind.USER, "tool": Kind.RESULT}
    for message in body.get("messages", ()):
        if (kind := kinds.get(message["role"])) is not None:
            yield Heard(kind, texts(message["content"]))


def whole(reply: Reply, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [_call(call, number) for number, call in enumerate(reply.calls)]
    choice = {"index": 0, "message": message, "finish_reason": reply.ending, "logprobs": None}
    said = {**_head(reply, model, "chat.completion"), "choices": [_without(choice, reply)]}
    return said | ({"usage": _usage(reply.usage)} if reply.usage else {})


def pieces(reply: Reply, model: str, body: Mapping[str, Any]) -> Iterator[str]:
    """The one with the finish reason, and the one with the usage, come last."""
    usage = bool(body.get("stream_options", {}).get("include_usage"))
    yield from (event(f"data: {json.dumps(chunk)}") for chunk in _chunks(reply, model, usage=usage))
    yield event("data: [DONE]")


def event(line: str) -> str:
    return f"{line}\n\n"


def failure(status: Status) -> tuple[dict[str, Any], dict[str, str]]:
    error = {"message": status.message, "type": "scripted_error", "param": None, "code": status.code}
    return {"error": error}, status.headers()


def _chunks(reply: Reply, model: str, *, usage: bool) -> Iterator[dict[str, Any]]:
    head = _head(reply, model, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**head, "choices": [choice if finish else _without(choice, reply)]}

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"reasoning_content": text}) for text in slices(reply.reasoning, reply.chunk))
    yield from (chunk({"refusal": text}) for text in slices(reply.refusal, reply.chunk))
    yield from (chunk({"content": text}) for text in slices(reply.text, reply.chunk))
    for number, call in enumerate(reply.calls):
        made = _call(call, number)
        name, arguments = made["function"]["name"], made["function"]["arguments"]
        yield chunk({"tool_calls": [made | {"index": number, "function": {"name": name, "arguments": ""}}]})
        for text in slices(arguments, reply.chunk):
            yield chunk({"tool_calls": [{"index": number, "function": {"arguments": text}}]})
    yield chunk({}, reply.ending)
    if usage and reply.usage is not None:
        yield {**head, "choices": [], "usage": _usage(reply.usage)}


def _head(reply: Reply, model: str, kind: str) -> dict[str, Any]:
    return _without({"object": kind, "id": ID, "created": CREATED, "model": reply.model or model}, reply)


def _without(fields: dict[str, Any], reply: Reply) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in reply.leaves_out}


def _call(call: Call, number: int) -> dict[str, Any]:
    made = {"id": call.id or f"call_{number}", "type": "function"}
    extra = {"extra_content": dict(call.extra)} if call.extra else {}
    return {**made, "function": {"name": call.name, "arguments": call.written}, **extra}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
    }
