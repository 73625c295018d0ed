"""Notes that a question calls by their titles come with it, as far as its author may read them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import say
from workroom.core.messages import MaterialPart
from workroom.core.tokens import estimate
from workroom.identity.types import Principal
from workroom.notes.question_notes import LONGEST_QUESTION, MOST, QuestionNotes
from workroom.notes.types import Note

PLENTY = 10_000


async def write(world: World, title: str, text: str = "two litres", name: str = "bob", slug: str = "lab") -> Note:
    note: Note = await world.services.notes.write(world[name].principal, world.instances[slug].id, title, text)
    return note


async def called(world: World, question: str, tokens: int = PLENTY, by: str = "bob") -> list[MaterialPart]:
    return list(await parts(world, world[by].principal, question, tokens))


async def parts(world: World, principal: Principal, question: str, tokens: int = PLENTY) -> list[MaterialPart]:
    return list(await QuestionNotes(world.services.db).of(principal, world.instances["lab"].id, question, tokens))


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Read me the note Shopping.", "Shopping"),
        ("What does my note “shopping list” say?", "Shopping list"),
        ("Lies mir die Notiz Vereinsversammlung vor", "Vereinsversammlung"),
        ("Was steht in den Notizen zu Öl & Essig?", "Öl & Essig"),
        ("Lis la note  Café\n du matin", "Café du matin"),
        ("Leia a anotação Reunião, por favor", "Reunião"),
        ("读一下笔记购物清单", "购物清单"),
    ],
)
async def test_a_note_that_is_called_comes_with_the_question(world: World, question: str, title: str) -> None:
    await write(world, title)
    [part] = await called(world, question)
    assert (part.label, part.read_for, part.untrusted) == (title, world["bob"].user.id, False)
    assert part.text == f"The note “{title}” says:\ntwo litres"


@pytest.mark.parametrize(
    "question",
    [
        "Put milk on my list",  # not a word of notes
        "Which note is about buttermilk?",  # the title is a part of a word
        "Is there a note about oats?",
        "note milk " + "x" * LONGEST_QUESTION,  # a text of its own
    ],
)
async def test_other_questions_bring_no_note(world: World, question: str) -> None:
    await write(world, "Milk")
    assert await called(world, question) == []


async def test_the_longest_title_is_meant_and_of_one_title_the_newest(world: World) -> None:
    await write(world, "Shopping")
    await write(world, "Shopping in Berne", "old")
    await write(world, "Shopping in Berne", "new")
    [part] = await called(world, "read the note shopping in Berne")
    assert part.text == "The note “Shopping in Berne” says:\nnew"


async def test_few_notes_and_no_more_words_than_there_is_room_for(world: World) -> None:
    names = [f"Plan {letter}" for letter in "ABCDE"]
    for name in names:
        await write(world, name, "word " * 2_000)
    question = "compare the notes " + ", ".join(names)
    assert len(await called(world, question, 100_000)) == MOST
    cut = await called(world, question, 500)
    assert sum(estimate(part.text) for part in cut) < 600
    assert "readNote" in cut[0].text
    assert await called(world, question, 0) == []


async def test_deleted_notes_and_those_of_other_workspaces_stay_away(world: World) -> None:
    note = await write(world, "Milk")
    await write(world, "Bread", name="zoe", slug="den")
    await world.services.notes.delete(world["bob"].principal, world.instances["lab"].id, note.id)
    assert await called(world, "notes Milk and Bread") == []


async def test_what_others_wrote_is_marked_as_theirs(world: World) -> None:
    await write(world, "Milk", name="alice")
    [part] = await called(world, "read the note Milk")
    assert part.untrusted
    nobody = replace(world["bob"].principal, rules=(), memberships={})
    assert await parts(world, nobody, "read the note Milk") == []


async def test_a_model_reads_the_note_once_before_it_is_asked(world: World) -> None:
    await write(world, "Shopping", "flour, yeast")
    bench = RunBench(world)
    first = await bench.ask("What do I need by the note Shopping?")
    model = await bench.advance(first, say("Flour and yeast."))
    assert [part.text.splitlines()[-1] for part in model.requests[0].messages[-1].materials] == ["flour, yeast"]
    second = await bench.ask("And how much of it?", conversation_id=first.conversation_id)
    model = await bench.advance(second, say("The note does not say."))
    assert [len(message.materials) for message in model.requests[0].messages] == [1, 0, 0]
