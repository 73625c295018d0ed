"""The common piece of a streamed answer, a few characters of text, made without the library's general machinery.

The SDK builds every chunk field by field through the type system: about 40 % of all that a worker does while answers
stream. A piece with one choice, only text and nothing unknown is built here directly; any other is left to the SDK.
"""

from __future__ import annotations

from typing import Any

import pydantic
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import Choice, ChoiceDelta

_OUTER = frozenset(ChatCompletionChunk.model_fields) | {"obfuscation"}  # random padding
_CHOICE = frozenset({"index", "delta", "logprobs", "finish_reason"})
_DELTA = frozenset({"role", "content", "refusal"})
# The SDK's own classes replace this method; pydantic's does no more than it is told.
_make: Any = pydantic.BaseModel.model_construct.__func__  # type: ignore[attr-defined]


def plain_chunk(data: object) -> ChatCompletionChunk | None:
    if not isinstance(data, dict) or not data.keys() <= _OUTER or data.get("usage") is not None:
        return None
    choices = data.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        return None
    choice = choices[0]
    delta = choice.get("delta")
    if not isinstance(delta, dict) or not choice.keys() <= _CHOICE or not delta.keys() <= _DELTA:
        return None
    if choice.get("logprobs") is not None or delta.get("refusal") is not None:
        return None
    if not isinstance(delta.get("content"), str):
        return None
    made = _make(Choice, **{**choice, "delta": _make(ChoiceDelta, **delta)})
    chunk: ChatCompletionChunk = _make(ChatCompletionChunk, **{**data, "choices": [made]})
    return chunk
