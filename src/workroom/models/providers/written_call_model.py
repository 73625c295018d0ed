"""For models that write their calls as text now and then: what is one becomes a call, with the same checks as any other."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Part, TextPart
from workroom.models.ports import Answer, HiddenDelta, Model, ModelInfo, ModelRequest, StreamItem, TextDelta
from workroom.models.providers.call_holdback import CallHoldback
from workroom.models.providers.written_calls import WrittenAnswer, read_written_calls


@dataclass(frozen=True)
class WrittenCallModel:
    inner: Model

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        holdback = CallHoldback(request.tools) if request.tools else None
        async with aclosing(self.inner.stream(request)) as stream:
            async for item in stream:
                if holdback is None or isinstance(item, HiddenDelta):
                    yield item
                elif isinstance(item, TextDelta):
                    shown = holdback.feed(item.text)
                    if shown:
                        yield TextDelta(shown)
                    elif item.text:
                        yield HiddenDelta(item.text)
                else:
                    written = _written(item, request)
                    if written is None:
                        if held := holdback.finish():
                            yield TextDelta(held)
                        yield item
                    else:
                        yield replace(item, parts=_with_calls(item, written))


def _written(answer: Answer, request: ModelRequest) -> WrittenAnswer | None:
    """Its calls, if it has made none as it should; half an answer is none."""
    if answer.cut or any(isinstance(part, CallPart) for part in answer.parts):
        return None
    text = "".join(part.text for part in answer.parts if isinstance(part, TextPart))
    return read_written_calls(text, request.tools, request.messages)


def _with_calls(answer: Answer, written: WrittenAnswer) -> list[Part]:
    others: list[Part] = [part for part in answer.parts if not isinstance(part, TextPart)]
    text: list[Part] = [TextPart(text=written.text)] if written.text else []
    calls = [
        CallPart(call_id=new_id(), tool=call.tool, arguments=dict(call.arguments), as_text=True)
        for call in written.calls
    ]
    return [*others, *text, *calls]
