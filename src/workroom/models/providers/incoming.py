"""pydantic-ai's answer as our parts. Pure: what a model said in, what we store out.

Call ids of providers are not kept: some repeat theirs in every answer. Ours are given to the provider from then on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_ai import messages as theirs
from pydantic_ai.usage import RequestUsage

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, OpaquePart, Part, TextPart
from workroom.core.tokens import Usage, token_count
from workroom.models.providers.arguments import clean, read_arguments
from workroom.models.providers.names import WireNames
from workroom.models.providers.opaque import ProviderIdentity, keep, keep_details


def parts_of(response: theirs.ModelResponse, names: WireNames, identity: ProviderIdentity) -> list[Part]:
    parts = [ours for part in response.parts for ours in _ours(part, names, identity)]
    declined = refusal(response)
    return [*parts, TextPart(text=declined)] if declined else parts


def _ours(part: theirs.ModelResponsePart, names: WireNames, identity: ProviderIdentity) -> Iterator[Part]:
    match part:
        case theirs.TextPart(content=""):
            if part.provider_details:
                yield keep(part, identity)
        case theirs.TextPart():
            if (details := keep_details(part, identity)) is not None:
                yield details
            yield TextPart(text=clean(part.content))
        case theirs.ToolCallPart():
            yield from _call(part, names, identity)
        case _:
            yield keep(part, identity)


def _call(part: theirs.ToolCallPart, names: WireNames, identity: ProviderIdentity) -> Iterator[CallPart | OpaquePart]:
    arguments, unreadable = read_arguments(part.args)
    made = CallPart(call_id=new_id(), tool=names.ours(part.tool_name), arguments=arguments, unreadable=unreadable)
    if (details := keep_details(part, identity, call=made.call_id)) is not None:
        yield details
    yield made


def refusal(response: theirs.ModelResponse) -> str:
    """A model that declines says so beside its text; to a person it is the answer."""
    said = (response.provider_details or {}).get("refusal")
    return clean(said) if isinstance(said, str) else ""


def finished(response: theirs.ModelResponse) -> bool:
    """Whether the provider said that this is all: half a stream that ends politely is not a whole answer."""
    return response.finish_reason is not None or "finish_reason" in (response.provider_details or {})


def text_of(event: theirs.ModelResponseStreamEvent) -> str:
    """The new text in an event, mostly none."""
    match event:
        case theirs.PartStartEvent(part=theirs.TextPart(content=text)):
            return clean(text)
        case theirs.PartDeltaEvent(delta=theirs.TextPartDelta(content_delta=text)):
            return clean(text)
        case _:
            return ""


def thought_of(event: theirs.ModelResponseStreamEvent) -> str:
    match event:
        case theirs.PartStartEvent(part=theirs.ThinkingPart(content=text)):
            return clean(text)
        case theirs.PartDeltaEvent(delta=theirs.ThinkingPartDelta(content_delta=str(text))):
            return clean(text)
        case _:
            return ""


def hidden_text_of(event: theirs.ModelResponseStreamEvent) -> str:
    """What was written in an event beside text and reasoning: names and arguments of calls."""
    match event:
        case theirs.PartStartEvent(part=theirs.ToolCallPart(tool_name=name, args=written)):
            return name + _written(written)
        case theirs.PartDeltaEvent(delta=theirs.ToolCallPartDelta(tool_name_delta=more, args_delta=written)):
            return (more or "") + _written(written)
        case _:
            return ""


def _written(arguments: str | Mapping[str, Any] | None) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""


def usage_of(used: RequestUsage) -> Usage:
    """What providers do not report, or not as a number of tokens, is zero. Tokens read from a cache or written into it are
    among the input tokens."""
    counted = (used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cache_write_tokens)
    return Usage(*(token_count(tokens) or 0 for tokens in counted))
