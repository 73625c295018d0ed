"""Pieces of text built directly are equal to the ones the SDK builds; whatever is unusual is left to the SDK."""

from __future__ import annotations

from typing import Any

import pytest
from openai._models import construct_type
from openai.types.chat import ChatCompletionChunk

from workroom.models.providers.plain_chunks import plain_chunk

CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def with_choice(delta: Any, **choice: Any) -> dict[str, Any]:
    return {**CHUNK, "choices": [{"index": 0, "delta": delta, "finish_reason": None, **choice}]}


@pytest.mark.parametrize(
    "data",
    [
        with_choice({"content": "word"}),
        with_choice({"content": "", "role": "assistant"}),
        with_choice({"content": "word", "refusal": None}, logprobs=None),
        with_choice({"content": "word"}, finish_reason="stop"),
        {**with_choice({"content": "word"}), "usage": None, "system_fingerprint": "f"},
    ],
)
def test_the_common_piece_is_the_one_the_sdk_would_build(data: dict[str, Any]) -> None:
    made, theirs = plain_chunk(data), construct_type(type_=ChatCompletionChunk, value=data)
    assert made is not None
    assert isinstance(theirs, ChatCompletionChunk)
    assert made.model_dump(exclude_unset=True) == theirs.model_dump(exclude_unset=True)
    assert made.choices[0].delta.content == theirs.choices[0].delta.content
    assert made.choices[0].delta.tool_calls == theirs.choices[0].delta.tool_calls
    assert (made.usage, made.choices[0].logprobs) == (theirs.usage, theirs.choices[0].logprobs)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {**CHUNK, "choices": []},
        {**CHUNK, "choices": [1]},
        with_choice({"tool_calls": []}),
        with_choice({"content": None}),
        with_choice({"content": "x", "reasoning_content": "y"}),
        with_choice({"content": "x", "refusal": "no"}),
        with_choice({"content": "x"}, logprobs={"content": []}),
        {**with_choice({"content": "x"}), "usage": {"total_tokens": 1}},
        {**with_choice({"content": "x"}), "error": "?"},
        {**CHUNK, "choices": with_choice({"content": "x"})["choices"] * 2},
    ],
)
def test_whatever_is_unusual_is_left_to_the_sdk(data: Any) -> None:
    assert plain_chunk(data) is None
