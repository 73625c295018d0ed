"""The most a model may write is held by us, whoever provides it: beyond it the stream is closed, and what was heard counts."""

from __future__ import annotations

import pytest

from tests.models.streams import Stream
from workroom.agent.testing import call, say
from workroom.core.messages import CallPart, TextPart
from workroom.models.output_limit import CHARACTERS_BESIDES, CHARACTERS_PER_TOKEN, MOST_CALLS, bounded
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, StreamItem, TextDelta

TOKENS = 100
MOST = CHARACTERS_PER_TOKEN * TOKENS + CHARACTERS_BESIDES


async def heard(stream: Stream) -> list[StreamItem]:
    return [item async for item in bounded(stream(), TOKENS, "m")]


@pytest.mark.parametrize("piece", [1, 7, MOST + 1, 1_000_000])
async def test_text_beyond_the_limit_is_cut_and_the_stream_closed(piece: int) -> None:
    stream = Stream([TextDelta("x" * piece)] * (2 * MOST // piece + 2))
    *deltas, answer = await heard(stream)
    assert answer == Answer([TextPart(text="x" * MOST)], model="m", cut=True)
    assert sum(len(item.text) for item in deltas if isinstance(item, TextDelta)) == MOST
    assert stream.closed
    assert stream.taken == MOST // piece + 1, "nothing more is read"


async def test_what_nobody_sees_counts_like_text() -> None:
    stream = Stream([TextDelta("I think."), *[HiddenDelta("x" * 100)] * 1000])
    *deltas, answer = await heard(stream)
    assert answer == Answer([TextPart(text="I think.")], model="m", cut=True)
    assert sum(len(item.text) for item in deltas if not isinstance(item, Answer)) == MOST


async def test_without_any_text_there_is_no_answer() -> None:
    stream = Stream([TextDelta(" "), *[HiddenDelta("x" * 100)] * 1000])
    with pytest.raises(ModelFailed, match="wrote more than it was allowed") as failed:
        await heard(stream)
    assert not failed.value.again, "it would do it again"
    assert stream.closed


@pytest.mark.parametrize("word", ["Donaudampf ", "слово ", "字"])
async def test_who_keeps_to_the_limit_is_not_cut(word: str) -> None:
    """Five characters for every token are more than any tokenizer reaches over a whole answer."""
    text = (word * TOKENS)[: 5 * TOKENS]
    said: list[StreamItem] = [TextDelta(text), HiddenDelta("x"), Answer(say(text))]
    assert await heard(Stream(said)) == said


async def test_a_stream_that_ends_without_an_answer_is_left_as_it_is() -> None:
    assert await heard(Stream([TextDelta("half")])) == [TextDelta("half")]


async def test_calls_beyond_the_limit_are_left_out() -> None:
    calls = [call("look", at=number) for number in range(MOST_CALLS + 1)]
    (answer,) = await heard(Stream([Answer([TextPart(text="All."), *calls])]))
    assert isinstance(answer, Answer)
    assert answer.cut
    assert [part for part in answer.parts if isinstance(part, CallPart)] == calls[:MOST_CALLS]
    (whole,) = await heard(Stream([Answer(calls[:MOST_CALLS])]))
    assert whole == Answer(calls[:MOST_CALLS])
