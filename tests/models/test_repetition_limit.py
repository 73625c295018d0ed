"""An answer that repeats itself is ended while it is written: the call is cancelled, and what came before stays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.models import asking
from tests.models.streams import Stream
from workroom.agent.testing import SCRIPTED
from workroom.core.messages import TextPart
from workroom.models.connection import Connection
from workroom.models.model_factory import client_for, model_of
from workroom.models.offers import Offer
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, StreamItem, TextDelta, ThoughtDelta
from workroom.models.repetition_limit import without_repetition
from workroom.models.testing import Drip, Reply, ScriptedProvider
from workroom.models.types import Provider, ProviderKind

BEGIN = "I have looked at all of it:"
LINE = "\nThe invoice is not paid yet, so it is open."
MANY = 4_096


async def heard(stream: Stream) -> list[StreamItem]:
    return [item async for item in without_repetition(stream(), SCRIPTED)]


async def test_repeated_text_ends_the_stream_and_a_few_lines_stay() -> None:
    stream = Stream([TextDelta(BEGIN), *[TextDelta(LINE)] * MANY, Answer([TextPart(text=BEGIN + LINE * MANY)])])
    *deltas, answer = await heard(stream)
    assert answer == Answer([TextPart(text=BEGIN + LINE * 3)], model=SCRIPTED.id, cut=True, repeats=True)
    assert stream.closed
    assert stream.taken < MANY / 10
    assert len(deltas) == stream.taken, "what was written is passed on, so that it is counted"


@pytest.mark.parametrize("kind", [HiddenDelta, ThoughtDelta])
async def test_text_before_a_call_or_a_thought_that_repeats_itself_is_the_answer(kind: type[HiddenDelta]) -> None:
    stream = Stream([TextDelta(BEGIN), *[kind(LINE)] * MANY])
    *_, answer = await heard(stream)
    assert answer == Answer([TextPart(text=BEGIN)], model=SCRIPTED.id, cut=True, repeats=True)
    assert stream.closed


@pytest.mark.parametrize("kind", [HiddenDelta, ThoughtDelta])
async def test_without_any_text_another_try_may_help(kind: type[HiddenDelta]) -> None:
    stream = Stream([TextDelta(" "), *[kind(LINE)] * MANY])
    with pytest.raises(ModelFailed, match="repeats itself") as failed:
        await heard(stream)
    assert (failed.value.again, failed.value.code) == (True, "modelRepeats")
    assert failed.value.details == {"provider": SCRIPTED.provider, "model": SCRIPTED.id}
    assert stream.closed


@pytest.mark.parametrize(
    "said", [[TextDelta(LINE)] * 20, [TextDelta(LINE), HiddenDelta(LINE), ThoughtDelta(LINE)] * 20]
)
async def test_any_other_answer_is_passed_on_as_it_is(said: Sequence[StreamItem]) -> None:
    whole = [*said, Answer([TextPart(text=LINE * 20)])]
    assert await heard(Stream(whole)) == whole
    assert await heard(Stream(said)) == said, "a stream that ends without an answer is left as it is"


@pytest.mark.parametrize("tools", [True, False])
async def test_a_model_of_a_provider_is_left_and_its_answer_cut(*, tools: bool) -> None:
    """Also where calls are read from its text."""
    reply = Drip(Reply(BEGIN + LINE * MANY, chunk=len(LINE)), asyncio.Event(), after=MANY // 10)
    async with ScriptedProvider([reply]) as provider:
        server = Provider("local", ProviderKind.ENDPOINT, "Local", provider.base_url)
        connection = Connection(server, provider.base_url, allowed_private=frozenset({provider.origin}))
        offer = Offer("local/m", "m", replace(asking.known("m"), tools=tools), connection)
        client = client_for(connection)
        said, answer = await asking.heard(model_of(offer, client), asking.request())
        await provider.departed.wait()
        await client.retire()
    assert answer == Answer([TextPart(text=BEGIN + LINE * 3)], model="m", cut=True, repeats=True)
    assert "".join(said).startswith(BEGIN + LINE * 4)
