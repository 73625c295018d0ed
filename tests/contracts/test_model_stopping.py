"""Whoever stops listening ends the request: the provider sees the connection go, and nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
from contextlib import aclosing

import pytest

from tests.models.asking import Maker, request
from workroom.models.ports import Answer, Model, TextDelta
from workroom.models.testing import Drip, Nothing, Reply, ScriptedProvider, Status
from workroom.net import ClientLimits, GuardedClient

LONG = Reply("one two three four five six")
SOON = 60.0  # how long a busy machine may take; the provider would go on for ever


@pytest.fixture
def never() -> asyncio.Event:
    return asyncio.Event()


async def departure(provider: ScriptedProvider) -> None:
    await asyncio.wait_for(provider.departed.wait(), SOON)
    assert len(provider.requests) == 1, "nothing was asked again"


async def test_closing_the_iterator(provider: ScriptedProvider, model: Model, never: asyncio.Event) -> None:
    provider.script.append(Drip(LONG, never, after=3))
    stream = model.stream(request())
    assert await anext(stream) == TextDelta("one tw")
    await stream.aclose()
    await departure(provider)


async def test_closing_is_done_when_it_returns(
    provider: ScriptedProvider, client: GuardedClient, model: Model, never: asyncio.Event
) -> None:
    provider.script.append(Drip(LONG, never, after=3))
    pool = client._transport._private[provider.origin]
    stream = model.stream(request())
    await anext(stream)
    assert len(pool.connections) == 1
    await stream.aclose()
    assert pool.connections == []


async def test_cancelling_the_task_while_text_is_awaited(
    provider: ScriptedProvider, model: Model, never: asyncio.Event
) -> None:
    provider.script.append(Drip(LONG, never, after=2))
    heard = asyncio.Event()

    async def listen() -> None:
        async with aclosing(model.stream(request())) as stream:
            async for _ in stream:
                heard.set()

    task = asyncio.create_task(listen())
    await asyncio.wait_for(heard.wait(), SOON)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await departure(provider)


async def test_cancelling_the_task_before_anything_came(provider: ScriptedProvider, model: Model) -> None:
    asked = asyncio.Event()

    def silent(_: object) -> Nothing:
        asked.set()
        return Nothing()

    provider.behaviour = silent
    task = asyncio.ensure_future(anext(model.stream(request())))
    await asyncio.wait_for(asked.wait(), SOON)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await departure(provider)


async def test_a_listener_that_just_walks_away(provider: ScriptedProvider, model: Model, never: asyncio.Event) -> None:
    provider.script.append(Drip(LONG, never, after=2))
    async for _ in model.stream(request()):
        break
    gc.collect()
    await departure(provider)


async def test_the_answer_comes_when_the_rest_does(provider: ScriptedProvider, model: Model) -> None:
    """What is not yet said is not made up: the stream waits, and goes on."""
    gate = asyncio.Event()
    provider.script.append(Drip(LONG, gate, after=2))
    async with aclosing(model.stream(request())) as stream:
        said = [await anext(stream)]
        gate.set()
        said += [item async for item in stream]
    assert "".join(item.text for item in said if isinstance(item, TextDelta)) == LONG.text
    assert not provider.departed.is_set()


async def test_connections_are_given_back_whatever_happened(provider: ScriptedProvider, maker: Maker) -> None:
    """A client with a single connection: the next call would wait for ever if one before it kept theirs."""
    client = GuardedClient(allowed_private=frozenset({provider.origin}), limits=ClientLimits(max_connections=1))
    model = maker(provider.root_url, "m", "", client)
    provider.script += [LONG, Status(500), Drip(LONG, asyncio.Event(), after=2), LONG]

    kept = model.stream(request())  # has said all there is, and is still held
    async for said in kept:
        if isinstance(said, Answer):
            break
    with pytest.raises(Exception, match="problem of its own"):
        await anext(model.stream(request()))
    async with aclosing(model.stream(request())) as left:
        await anext(left)
    async with asyncio.timeout(SOON):
        assert isinstance([item async for item in model.stream(request())][-1], Answer)
    await kept.aclose()
    await client.aclose()


async def test_many_at_once_share_one_loading_of_the_library(provider: ScriptedProvider, model: Model) -> None:
    provider.script += [LONG] * 20

    async def one() -> int:
        return len([item async for item in model.stream(request())])

    assert set(await asyncio.gather(*(one() for _ in range(20)))) == {6}
