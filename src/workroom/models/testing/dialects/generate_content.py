"""Google's Gemini API: `POST …/v1beta/models/{model}:generateContent`, and `:streamGenerateContent` in pieces.

Vectors are asked for at `:batchEmbedContents`; they are made in `testing/vectors.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from workroom.core.tokens import Usage
from workroom.models.testing.dialects.types import Heard, Kind, slices, texts
from workroom.models.testing.replies import Call, Reply, Status

ID = "scripted"
SIGNATURE = "c2lnbmVk"
ENDINGS = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
MALFORMED = "MALFORMED_FUNCTION_CALL"
ERRORS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
_PATH = re.compile(r".*/models/(?P<model>[^/:]+):(?:(?P<streams>streamG|g)enerateContent|batchEmbedContents)")


def model_of(path: str, body: Mapping[str, Any]) -> str | None:
    found = _PATH.fullmatch(path)
    return found["model"] if found else None


def streams(path: str, body: Mapping[str, Any]) -> bool:
    found = _PATH.fullmatch(path)
    return found is not None and found["streams"] == "streamG"


def tools(body: Mapping[str, Any]) -> list[str]:
    return [one["name"] for tool in body.get("tools", ()) for one in tool.get("functionDeclarations", ())]


def heard(body: Mapping[str, Any]) -> Iterator[Heard]:
    for content in body.get("contents", ()):
        if content.get("role") != "user":
            continue
        for part in content["parts"]:
            if "functionResponse" in part:
                yield Heard(Kind.RESULT, _result(part["functionResponse"]["response"]))
        if text := texts(content["parts"]):
            yield Heard(Kind.USER, text)


def whole(reply: Reply, model: str) -> dict[str, Any]:
    uncut = max(map(len, (reply.text, reply.refusal, reply.reasoning, "-")))
    parts = [*_texts(reply, uncut), *map(_call, _sound(reply))]
    return _chunk(reply, model, parts, ending=True)


def pieces(reply: Reply, model: str, body: Mapping[str, Any]) -> Iterator[str]:
    parts = [{"text": ""}, *_texts(reply, reply.chunk), *map(_call, _sound(reply))]
    for part in parts:
        yield event(f"data: {json.dumps(_chunk(reply, model, [part], ending=False))}")
    yield event(f"data: {json.dumps(_chunk(reply, model, [], ending=True))}")


def event(line: str) -> str:
    return f"{line}\n\n"


def failure(status: Status) -> tuple[dict[str, Any], dict[str, str]]:
    """Google says inside the body how long to wait, and why a request was refused."""
    details: list[dict[str, Any]] = []
    if status.retry_after is not None:
        info = "type.googleapis.com/google.rpc.RetryInfo"
        details.append({"@type": info, "retryDelay": f"{status.retry_after}s"})
    if status.code:
        details.append({"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": status.code})
    kind = ERRORS.get(status.status, "UNKNOWN")
    return {"error": {"code": status.status, "message": status.message, "status": kind, "details": details}}, {}


def _sound(reply: Reply) -> list[Call]:
    """Arguments are an object on this wire: a call whose arguments are none cannot be put into words, and is left out."""
    return [] if _malformed(reply) else list(reply.calls)


def _malformed(reply: Reply) -> bool:
    return any(_object(call) is None for call in reply.calls)


def _object(call: Call) -> dict[str, Any] | None:
    try:
        value = json.loads(call.written or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _texts(reply: Reply, size: int) -> Iterator[dict[str, Any]]:
    """Declining is said like anything else. The first part after a thought carries its signature."""
    signed = {"thoughtSignature": SIGNATURE} if reply.reasoning else {}
    yield from ({"text": text, "thought": True} for text in slices(reply.reasoning, size))
    for number, text in enumerate(slices(reply.text or reply.refusal, size)):
        yield {"text": text, **(signed if number == 0 else {})}


def _call(call: Call) -> dict[str, Any]:
    made = {"name": call.name, "args": _object(call)} | ({"id": call.id} if call.id else {})
    return {"functionCall": made, **(call.extra or {})}


def _chunk(reply: Reply, model: str, parts: list[dict[str, Any]], *, ending: bool) -> dict[str, Any]:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    chunk = {"candidates": [candidate], "modelVersion": reply.model or model, "responseId": ID}
    if not ending:
        return chunk
    candidate["finishReason"] = MALFORMED if _malformed(reply) else ENDINGS.get(reply.ending, reply.ending)
    return chunk | ({"usageMetadata": _usage(reply.usage)} if reply.usage else {})


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens,
        "totalTokenCount": usage.input_tokens + usage.output_tokens,
        "cachedContentTokenCount": usage.cached_tokens,
    }


def _result(response: dict[str, Any]) -> str:
    """Tools answer in text here; the wire wants an object, and the library names its only field."""
    values = list(response.values())
    return values[0] if len(values) == 1 and isinstance(values[0], str) else json.dumps(response)
