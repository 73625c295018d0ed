"""Anthropic's Messages API: `POST …/v1/messages`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from workroom.core.tokens import Usage
from workroom.models.testing.dialects.types import Heard, Kind, slices, texts
from workroom.models.testing.replies import Call, Reply, Status

ID = "msg_scripted"
SIGNATURE = "c2lnbmVk"
ENDINGS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def model_of(path: str, body: Mapping[str, Any]) -> str | None:
    return str(body.get("model", "")) if path.endswith("/messages") else None


def streams(path: str, body: Mapping[str, Any]) -> bool:
    return bool(body.get("stream"))


def tools(body: Mapping[str, Any]) -> list[str]:
    return [tool["name"] for tool in body.get("tools", ())]


def heard(body: Mapping[str, Any]) -> Iterator[Heard]:
    """Results come in messages of the user, and before what the user says."""
    for message in body.get("messages", ()):
        if message["role"] != "user":
            continue
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if block["type"] == "tool_result":
                yield Heard(Kind.RESULT, texts(block["content"]))
        if text := texts([block for block in blocks if block["type"] == "text"]):
            yield Heard(Kind.USER, text)


def whole(reply: Reply, model: str) -> dict[str, Any]:
    content = [{**block, **_filled(block, text)} for block, text, _ in _blocks(reply)]
    for block, call in zip((each for each in content if each["type"] == "tool_use"), reply.calls, strict=True):
        block["input"] = json.loads(call.written)
    return {**_head(reply, model), "content": content, **_ending(reply), "usage": _usage(reply.usage or Usage())}


def pieces(reply: Reply, model: str, body: Mapping[str, Any]) -> Iterator[str]:
    start = {
        **_head(reply, model),
        "content": [],
        "stop_reason": None,
        "usage": _usage(reply.usage or Usage(), written=1),
    }
    yield _event("message_start", message=start) + _event("ping")
    for index, (block, text, delta) in enumerate(_blocks(reply)):
        begin = _event("content_block_start", index=index, content_block=block)
        for piece in slices(text, reply.chunk):
            yield begin + _event("content_block_delta", index=index, delta={"type": delta, _FIELDS[delta]: piece})
            begin = ""
        if block["type"] == "thinking":
            signature = {"type": "signature_delta", "signature": SIGNATURE}
            yield _event("content_block_delta", index=index, delta=signature)
        yield begin + _event("content_block_stop", index=index)
    yield _event("message_delta", delta=_ending(reply), usage=_usage(reply.usage or Usage()))
    yield _event("message_stop")


def event(line: str) -> str:
    return f"event: content_block_delta\n{line}\n\n" if line.startswith("data:") else f"{line}\n\n"


def failure(status: Status) -> tuple[dict[str, Any], dict[str, str]]:
    kind = status.code or ERRORS.get(status.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": status.message}}, status.headers()


_FIELDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def _blocks(reply: Reply) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Each block as it begins, what it will hold, and the kind of piece that comes in."""
    if reply.reasoning:
        yield {"type": "thinking", "thinking": "", "signature": ""}, reply.reasoning, "thinking_delta"
    if reply.text:
        yield {"type": "text", "text": ""}, reply.text, "text_delta"
    for number, call in enumerate(reply.calls):
        yield _call(call, number), call.written, "input_json_delta"


def _filled(block: dict[str, Any], text: str) -> dict[str, Any]:
    match block["type"]:
        case "thinking":
            return {"thinking": text, "signature": SIGNATURE}
        case "text":
            return {"text": text}
        case _:
            return {}


def _call(call: Call, number: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id or f"toolu_{number}", "name": call.name, "input": {}}


def _head(reply: Reply, model: str) -> dict[str, Any]:
    return {"id": ID, "type": "message", "role": "assistant", "model": reply.model or model, "stop_sequence": None}


def _ending(reply: Reply) -> dict[str, Any]:
    if reply.refusal:
        details = {"type": "refusal", "explanation": reply.refusal, "category": None}
        return {"stop_reason": "refusal", "stop_details": details}
    return {"stop_reason": ENDINGS.get(reply.ending, reply.ending)}


def _usage(usage: Usage, *, written: int | None = None) -> dict[str, Any]:
    """Cached tokens are counted beside the others, not among them."""
    return {
        "input_tokens": usage.input_tokens - usage.cached_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens if written is None else min(written, usage.output_tokens),
    }


def _event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"
