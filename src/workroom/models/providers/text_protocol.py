"""Tools for models that do not know function calling: described in the prompt, asked for in blocks of text.

The same loop, the same results: its callers see text and calls, never a block. A block that cannot be read is asked
for once more, with what was wrong; if that does not help either, it becomes a call that says so, and the loop tells the model.
So is a block in whose place a result was made up; what such an answer says then counts.
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
from workroom.models.providers.tool_call_blocks import GAP, BlockReader, ToolCallBlock
from workroom.models.providers.tool_prompt import asked_for, corrected, in_words, uncalled


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
        reader, answer = BlockReader(uncalled(request)), Answer(())
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
                    if reader.stopped:  # what else it writes is paid for and not read
                        break
        if shown := reader.finish():
            yield TextDelta(shown)
        blocks, usage, requests = reader.blocks, answer.usage, answer.requests
        again = _repair(in_text, answer, reader)
        if again is not None:
            better, second = BlockReader(), None
            async with aclosing(self._again(again, better)) as stream:
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
            if reader.claimed and not blocks and (words := "".join(map(str, better.found)).strip()):
                said_first = any(isinstance(item, str) for item in reader.found)
                words = f"{GAP}{words}" if said_first else words
                reader.found.append(words)
                yield TextDelta(words)
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


def _repair(request: ModelRequest, answer: Answer, reader: BlockReader) -> ModelRequest | None:
    """The request for what it should have written, if that may help."""
    if reader.claimed:
        return asked_for(request, "".join(item for item in reader.found if isinstance(item, str)), reader.claimed)
    if any(block.wrong for block in reader.blocks) and not answer.cut:
        return corrected(request, _text(answer.parts), reader.blocks)
    return None


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
