"""The most a model may write in one answer, held by us: servers ignore the limit they are given, or count other tokens.

One place for every provider, between the gateway and its callers. What is cut is paid for as far as it was received.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from workroom.core.messages import CallPart, Part, TextPart
from workroom.models.ports import Answer, ModelFailed, ModelInfo, StreamItem, TextDelta
from workroom.net import StreamLimits

# A limit is in the provider's tokens, and we hear characters. Over a whole answer no tokenizer in use comes near eight
# characters per token in any language (English, the longest, has between four and five), so a provider that keeps to the
# limit is never cut; runs of blanks or dashes, which may be one token, have the rest.
CHARACTERS_PER_TOKEN = 8
CHARACTERS_BESIDES = 1_000
MOST_CALLS = 128  # the most tools a provider lets a request offer
BYTES_PER_TOKEN = 2_048  # of a stream: most send one event for each, of a few hundred bytes
BYTES_BESIDES = 1024 * 1024
EVENT_BYTES = 4 * 1024 * 1024  # some send all arguments of a call in one event


def stream_limits(model: ModelInfo) -> StreamLimits:
    """For what never becomes a piece of the answer: events that say nothing, or that never end."""
    return StreamLimits(BYTES_PER_TOKEN * model.output_tokens + BYTES_BESIDES, EVENT_BYTES)


async def bounded(
    stream: AsyncGenerator[StreamItem, None], output_tokens: int, model: str
) -> AsyncGenerator[StreamItem, None]:
    """The stream as far as `output_tokens` reach: text, reasoning and arguments of calls alike. Beyond that it is closed,
    which ends the request, and the text so far is the answer."""
    left = CHARACTERS_PER_TOKEN * output_tokens + CHARACTERS_BESIDES
    text: list[str] = []
    async with aclosing(stream):
        async for item in stream:
            if isinstance(item, Answer):
                yield with_few_calls(item)
                return
            kept = item.text[:left]
            left -= len(item.text)
            if isinstance(item, TextDelta):
                text.append(kept)
                yield TextDelta(kept)
            else:
                yield replace(item, text=kept)
            if left < 0:
                break
        else:
            return
    if not "".join(text).strip():
        raise ModelFailed(
            f"{model} wrote more than it was allowed to, and no answer. Choose another model.", again=False
        )
    yield Answer([TextPart(text="".join(text))], model=model, cut=True)


def with_few_calls(answer: Answer) -> Answer:
    """Calls beyond the limit are left out; the model sees which of them have results."""
    calls = [part for part in answer.parts if isinstance(part, CallPart)]
    if len(calls) <= MOST_CALLS:
        return answer
    kept: list[Part] = [part for part in answer.parts if part not in calls[MOST_CALLS:]]
    return replace(answer, parts=kept, cut=True)
