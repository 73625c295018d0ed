"""Ends an answer that repeats itself while it is being written: the rest is not worth the wait and the money.

One place for every provider, beside `output_limit.py`. What was received is paid for; of the repetition a few blocks are kept.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from workroom.core.messages import TextPart
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, ModelInfo, StreamItem, TextDelta
from workroom.models.repetition import RepetitionDetector


async def without_repetition(
    stream: AsyncGenerator[StreamItem, None], model: ModelInfo
) -> AsyncGenerator[StreamItem, None]:
    """The stream until its text, its reasoning or the arguments of its calls repeat themselves. Then it is closed, which ends
    the request, and the text so far is the answer; without any, another try may do better."""
    detectors: dict[type[TextDelta | HiddenDelta], RepetitionDetector] = {}
    text: list[str] = []
    kept: int | None = None
    async with aclosing(stream):
        async for item in stream:
            yield item
            if isinstance(item, Answer):
                return
            if isinstance(item, TextDelta):
                text.append(item.text)
            repetition = detectors.setdefault(type(item), RepetitionDetector()).feed(item.text)
            if repetition is not None:
                kept = repetition.kept if isinstance(item, TextDelta) else None
                break
        else:
            return
    if not (written := "".join(text)[:kept]).strip():
        raise ModelFailed(
            f"{model.id} repeats itself and comes to no answer. Try again, or choose another model.",
            again=True,
            code="modelRepeats",
            details={"provider": model.provider, "model": model.id},
        )
    yield Answer([TextPart(text=written)], model=model.id, cut=True, repeats=True)
