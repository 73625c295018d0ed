"""Tools for models that do not know function calling: described in the prompt, asked for in blocks of text.

The same loop, the same results: its callers see text and calls, never a block. A block that cannot be read is asked
for once more, with what was wrong; if that does not help either, it becomes a call that says so, and the loop tells the model.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Part, TextPart
from workroom.core.tokens import Usage
from workroom.models.ports import (
    Answer,
    HiddenDelta,
    Model,
    ModelFailed,
    ModelInfo,
    ModelRequest,
    StreamItem,
    TextDelta,
)
from workroom.models.providers.tool_call_blocks import BlockReader, ToolCallBlock
from workroom.models.providers.tool_prompt import corrected, in_words


@dataclass(frozen=True)
class TextToolModel:
    inner: Model

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        in_text = in_words(request)
        if not request.tools:
            # Nothing was offered, so nothing is a call. Earlier ones are spelled out all the same.
            async with aclosing(self.inner.stream(in_text)) as stream:
                async for said in stream:
                    yield said
            return
        reader, answer = BlockReader(), Answer(())
        async with aclosing(self.inner.stream(in_text)) as stream:
            async for said in stream:
                if isinstance(said, Answer):
                    answer = said
                elif isinstance(said, HiddenDelta):
                    yield said
                else:
                    if shown := reader.feed(said.text):
                        yield TextDelta(shown)
                    if held_back := said.text[len(shown) :]:
                        yield HiddenDelta(held_back)
        if shown := reader.finish():
            yield TextDelta(shown)
        blocks, usage, requests = reader.blocks, answer.usage, answer.requests
        if any(block.wrong for block in blocks) and not answer.cut:
            better, second = BlockReader(), None
            async with aclosing(self._again(corrected(in_text, _text(answer.parts), blocks), better)) as stream:
                async for said in stream:
                    if isinstance(said, Answer):
                        second = said
                    else:
                        yield said
            if second is not None:
                requests += second.requests
                # If one of them did not say what it used, all of it is estimated.
                usage = usage + second.usage if Usage() not in (usage, second.usage) else Usage()
            blocks = better.blocks or blocks
        parts = _parts(answer.parts, reader.found, blocks)
        yield Answer(parts, usage, answer.model, requests, answer.cut)

    async def _again(self, request: ModelRequest, reader: BlockReader) -> AsyncGenerator[HiddenDelta | Answer, None]:
        """A second try, of which nothing is shown: `reader` gets its blocks; what text there is beside them was not asked
        for. It ends with an answer if anything was heard, and has to be paid for."""
        heard = False
        try:
            async with aclosing(self.inner.stream(request)) as stream:
                async for said in stream:
                    heard = True
                    if isinstance(said, TextDelta):
                        reader.feed(said.text)
                    yield said if isinstance(said, Answer) else HiddenDelta(said.text)
            reader.finish()
        except ModelFailed:
            reader.found.clear()  # there is an answer already, such as it is
            if heard:
                yield Answer(())


def _parts(
    answered: Sequence[Part], items: Sequence[str | ToolCallBlock], blocks: Sequence[ToolCallBlock]
) -> list[Part]:
    """Text as it was shown, calls where they were asked for, and whatever else the inner model wants kept."""
    others: list[Part] = [part for part in answered if not isinstance(part, TextPart)]
    as_written = list(blocks) == [item for item in items if isinstance(item, ToolCallBlock)]
    shown = [item for item in items if as_written or isinstance(item, str)]
    return [*others, *map(_part, shown), *([] if as_written else map(_part, blocks))]


def _part(item: str | ToolCallBlock) -> Part:
    if isinstance(item, str):
        return TextPart(text=item)
    return CallPart(
        call_id=new_id(),
        tool=item.tool,
        arguments=item.arguments,
        unreadable=item.written if item.wrong else None,
    )


def _text(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPart))
