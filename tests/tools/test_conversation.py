"""Reading back what was said: whole messages in pages, by words, and only of one's own conversations."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.world import World
from workroom.agent.testing import say
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.results import ToolResult
from workroom.tools.conversation import PAGE, read_conversation


async def talk(world: World, *questions: str) -> UUID:
    """A conversation of Bob's with these questions, each answered with itself."""
    bench = RunBench(world)
    first = await bench.ask(questions[0])
    await bench.advance(first, say(f"You said: {questions[0]}"))
    for question in questions[1:]:
        accepted = await bench.ask(question, conversation_id=first.conversation_id)
        await bench.advance(accepted, say(f"You said: {question}"))
    return first.conversation_id


async def read(room: Room, conversation: UUID, query: str = "", page: int = 1) -> str:
    room.conversation_id = conversation
    result = await room.call(read_conversation, query=query, page=page)
    assert isinstance(result, ToolResult)
    return result.message


async def test_words_find_messages_and_without_any_everything_is_read(world: World) -> None:
    conversation, room = await talk(world, "The Budget is 40 francs", "And the date?"), Room(world)
    whole = await read(room, conversation)
    places = [whole.index(text) for text in ("The Budget is", "You said: The", "And the date", "You said: And")]
    assert places == sorted(places)
    found = await read(room, conversation, "FRANCS budget")
    assert "The Budget is 40 francs" in found
    assert "date" not in found
    assert "Nothing that was said" in await read(room, conversation, "nowhere")


async def test_long_conversations_are_read_page_by_page_without_a_gap(world: World) -> None:
    text = " ".join(str(n) for n in range(5_000))
    conversation, room = await talk(world, text), Room(world)
    first = await read(room, conversation)
    pages = int(first.rsplit("page 1 of ", 1)[1].split(".")[0])
    assert pages > 2
    shown = [await read(room, conversation, page=page) for page in range(1, pages + 1)]
    assert all(len(page) < PAGE + 200 for page in shown)
    joined = "".join(page.rsplit("\n[page", 1)[0] for page in shown)
    assert text in joined
    with pytest.raises(InvalidInput):
        await read(room, conversation, page=pages + 1)


async def test_conversations_of_others_are_not_there(world: World) -> None:
    conversation = await talk(world, "A secret")
    with pytest.raises(NotFound):
        await read(Room(world, "alice"), conversation)
    await shared(world, conversation, "alice")
    assert "A secret" in await read(Room(world, "alice"), conversation)
