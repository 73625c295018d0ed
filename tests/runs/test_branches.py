"""Branches: answering again and saying it differently keep what was there, and every answer knows its own past only."""

from __future__ import annotations

import pytest

from tests.runs.bench import RunBench
from tests.world import World, some_id
from workroom.agent.testing import say
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.runs.service import Accepted, Input


async def texts(bench: RunBench, accepted: Accepted) -> list[str]:
    service = bench.world.services.conversations
    return [m.message.text for m in await service.messages(bench.principal, bench.lab, accepted.conversation_id)]


async def talk(bench: RunBench) -> tuple[Accepted, Accepted]:
    first = await bench.ask("one")
    await bench.advance(first, say("answer one"))
    second = await bench.runs.input(bench.principal, bench.lab, Input("two", first.conversation_id))
    await bench.advance(second, say("answer two"))
    return first, second


@pytest.mark.requirement("A13")
async def test_retry_answers_the_last_message_again_beside_the_first_answer(world: World) -> None:
    bench = RunBench(world)
    first, _ = await talk(bench)
    again = await bench.runs.retry(bench.principal, bench.lab, first.conversation_id)
    model = await bench.advance(again, say("another answer two"))
    assert [m.text for m in model.requests[0].messages] == ["one", "answer one", "two"], (
        "not the answer that is replaced"
    )
    assert await texts(bench, first) == ["one", "answer one", "two", "another answer two"]
    following = await world.services.conversations.siblings(bench.principal, bench.lab, first.conversation_id)
    assert len(following[again.message_id]) == 2


@pytest.mark.requirement("A13")
async def test_an_earlier_message_said_differently_begins_a_branch_and_the_old_one_stays(world: World) -> None:
    bench = RunBench(world)
    first, second = await talk(bench)
    given = Input("two, differently", first.conversation_id, replaces=second.message_id)
    edited = await bench.runs.input(bench.principal, bench.lab, given)
    model = await bench.advance(edited, say("answer two b"))
    assert [m.text for m in model.requests[0].messages] == ["one", "answer one", "two, differently"]
    assert await texts(bench, first) == ["one", "answer one", "two, differently", "answer two b"]
    show = world.services.conversations.show_branch
    await show(bench.principal, bench.lab, first.conversation_id, second.message_id)
    assert await texts(bench, first) == ["one", "answer one", "two", "answer two"], "down to its newest end"
    await show(bench.principal, bench.lab, first.conversation_id, edited.message_id)
    assert await texts(bench, first) == ["one", "answer one", "two, differently", "answer two b"]


@pytest.mark.requirement("A13")
async def test_an_answer_does_not_take_the_screen_from_who_looks_at_another_branch(world: World) -> None:
    bench = RunBench(world)
    first, second = await talk(bench)
    given = Input("two, differently", first.conversation_id, replaces=second.message_id)
    edited = await bench.runs.input(bench.principal, bench.lab, given)
    await world.services.conversations.show_branch(bench.principal, bench.lab, first.conversation_id, second.message_id)
    await bench.advance(edited, say("answer two b"))
    assert await texts(bench, first) == ["one", "answer one", "two", "answer two"]
    await world.services.conversations.show_branch(bench.principal, bench.lab, first.conversation_id, edited.message_id)
    assert await texts(bench, first) == ["one", "answer one", "two, differently", "answer two b"]


async def test_the_very_first_message_can_be_said_differently(world: World) -> None:
    bench = RunBench(world)
    first, _ = await talk(bench)
    edited = await bench.runs.input(
        bench.principal, bench.lab, Input("uno", first.conversation_id, replaces=first.message_id)
    )
    await bench.advance(edited, say("risposta"))
    assert await texts(bench, first) == ["uno", "risposta"]


async def test_what_cannot_be_replaced_or_shown(world: World) -> None:
    bench = RunBench(world)
    first, _ = await talk(bench)
    stored = await world.services.conversations.messages(bench.principal, bench.lab, first.conversation_id)
    for message_id in (stored[1].message.id, some_id()):
        with pytest.raises(InvalidInput):
            await bench.runs.input(bench.principal, bench.lab, Input("x", first.conversation_id, replaces=message_id))
    with pytest.raises(NotFound):
        await world.services.conversations.show_branch(bench.principal, bench.lab, first.conversation_id, some_id())


async def test_no_retry_while_an_answer_is_being_made(world: World) -> None:
    bench = RunBench(world)
    first = await bench.ask("one")
    with pytest.raises(Conflict):
        await bench.runs.retry(bench.principal, bench.lab, first.conversation_id)
