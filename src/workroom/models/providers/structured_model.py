"""For models whose server keeps answers to a JSON schema: forced calls are asked for that way, and so is whatever else is wanted
as JSON. A server that refuses is asked as before, from then on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from workroom.core.messages import CallPart, Part, TextPart
from workroom.models.ports import (
    Answer,
    Forcing,
    HiddenDelta,
    Model,
    ModelFailed,
    ModelInfo,
    ModelRequest,
    StreamItem,
    TextDelta,
    ToolSchema,
)
from workroom.models.providers.structured_calls import in_json, read_call

REFUSED = "modelRefused"


@dataclass
class StructuredModel:
    inner: Model
    _refuses: bool = False  # the server took a request only without its schema

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        forced = request.forcing is Forcing.ANY and bool(request.tools)
        if not forced and request.answer_schema is None:
            async with aclosing(self.inner.stream(request)) as stream:
                async for said in stream:
                    yield said
            return
        if not self._refuses:
            try:
                asked = in_json(request) if forced else request
                async with aclosing(self.inner.stream(asked)) as stream:
                    async for said in stream:
                        if isinstance(said, Answer) and forced:
                            answer = _with_call(said, request.tools)
                            if answer is said and (text := _text(said)):
                                yield TextDelta(text)
                            yield answer
                        else:
                            yield HiddenDelta(said.text) if isinstance(said, TextDelta) else said
                return
            except ModelFailed as failed:
                if failed.code != REFUSED:
                    raise
        async with aclosing(self.inner.stream(replace(request, answer_schema=None))) as stream:
            async for said in stream:
                yield said
        # Only now: it may have refused for another reason, and would have again.
        self._refuses = True


def _with_call(answer: Answer, tools: Sequence[ToolSchema]) -> Answer:
    """The answer as a call; as it is when it has one already, is cut, or cannot be read."""
    if answer.cut or any(isinstance(part, CallPart) for part in answer.parts):
        return answer
    call = read_call(_text(answer), tools)
    if call is None:
        return answer
    others: list[Part] = [part for part in answer.parts if not isinstance(part, TextPart)]
    return replace(answer, parts=[*others, call])


def _text(answer: Answer) -> str:
    return "".join(part.text for part in answer.parts if isinstance(part, TextPart))
