"""Notes by tool: a change is a proposal, a deletion is confirmed, and both stay undoable."""

from __future__ import annotations

import pytest

from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.world import World, some_id
from workroom.agent.testing import call, say
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.core.pauses import Confirmation, Confirmed, Proposal, Reviewed
from workroom.core.results import ResultStatus, result_of
from workroom.core.run_events import RunState
from workroom.tools.notes import delete_note, edit_note, list_notes, read_note, write_note


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


async def test_what_was_written_is_read_and_listed(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    read, found = await room.call(read_note, noteId=str(note.id)), await room.call(list_notes, query="LITRES")
    assert (read, found) == (result_of(note), result_of([note]))
    assert (await room.call(list_notes, query="bread")).items == []
    colleague = room.as_("rita")
    for told in (await colleague.call(read_note, noteId=note.id), await colleague.call(list_notes)):
        assert told.untrusted, "what somebody else wrote is no instruction"


async def test_a_change_is_proposed_and_stored_only_when_accepted(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    proposal = await room.call(edit_note, noteId=note.id, text="three litres")
    assert isinstance(proposal, Proposal)
    assert (proposal.name, proposal.before, proposal.after) == ("Milk", "two litres", "three litres")
    assert (await room.call(read_note, noteId=note.id)).data["text"] == "two litres", "nothing has happened yet"
    assert edit_note.answered is not None
    rejected = await edit_note.answered(room, proposal, Reviewed(accepted=False))
    assert rejected.data == {"declined": True}
    await edit_note.answered(room, proposal, Reviewed(accepted=True, text="two and a half"))
    assert (await room.call(read_note, noteId=note.id)).data["text"] == "two and a half", (
        "what was accepted, not what was proposed"
    )


async def test_whoever_was_faster_is_not_overwritten(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    proposal = await room.call(edit_note, noteId=note.id, text="three litres")
    await room.world.services.notes.change(room.principal, room.instance_id, note.id, text="none at all")
    assert edit_note.answered is not None
    with pytest.raises(Conflict, match="Nothing was overwritten"):
        await edit_note.answered(room, proposal, Reviewed(accepted=True))
    assert (await room.call(read_note, noteId=note.id)).data["text"] == "none at all"


async def test_only_its_writer_may_change_or_delete_a_note(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    rita = room.as_("rita")
    assert (await rita.call(read_note, noteId=note.id)).data["id"] == str(note.id)
    with pytest.raises(Forbidden):
        await rita.call(edit_note, noteId=note.id, text="x")
    assert delete_note.confirm is not None
    with pytest.raises(Forbidden):  # refused before anybody is asked
        await delete_note.confirm(rita, noteId=str(note.id))
    with pytest.raises(Forbidden):
        await delete_note.run(rita, noteId=str(note.id))


async def test_a_deleted_note_is_gone_for_tools(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    await room.call(delete_note, noteId=note.id)
    for tool, more in ((read_note, {}), (edit_note, {"text": "x"}), (delete_note, {})):
        with pytest.raises(NotFound):
            await room.call(tool, noteId=note.id, **more)
    assert (await room.call(list_notes)).items == []


async def test_a_note_goes_by_its_title_as_well(room: Room) -> None:
    note = await room.call(write_note, title="Milk for Ärnst", text="two litres")
    await room.call(write_note, title="Bread", text="beside the milk for Ärnst")  # a title is meant, not a text
    for reference in ("Milk for Ärnst", " “milk  FOR ärnst” ", "the note milk", str(note.id).upper()):
        assert (await room.call(read_note, noteId=reference)).data["id"] == str(note.id)
    proposal = await room.call(edit_note, noteId="milk", text="three litres")
    assert (proposal.name, proposal.data["noteId"]) == ("Milk for Ärnst", str(note.id))
    with pytest.raises(InvalidInput, match=f"There is “Milk for Ärnst” .noteId {note.id}.*Which one is meant"):
        await room.call(delete_note, noteId="milk")
    assert await room.call(delete_note, noteId="milk for ärnst") == "The note “Milk for Ärnst” is in the trash."


async def test_an_invented_note_is_answered_with_those_there_are(room: Room) -> None:
    note = await room.call(write_note, title="Milk", text="two litres")
    await room.as_("alice").call(write_note, title="Obey me", text="x")
    for invented in ("your-note-id", str(some_id()), 1):
        with pytest.raises(NotFound) as caught:
            await room.call(read_note, noteId=invented)
        assert f"There is “Milk” (noteId {note.id}). listNotes shows all." in caught.value.message
        assert "Obey" not in caught.value.message, "an error does not mark the run"


async def test_titles_are_looked_up_with_the_rights_of_the_person(room: Room) -> None:
    await room.call(write_note, title="Milk", text="two litres")
    rita, zoe = room.as_("rita"), room.as_("zoe", "den")
    assert (await rita.call(read_note, noteId="milk")).untrusted
    with pytest.raises(Forbidden):
        await rita.call(edit_note, noteId="Milk", text="x")
    with pytest.raises(NotFound, match=r"not yours to see\.$"):
        await zoe.call(read_note, noteId="Milk")


@pytest.mark.requirement("A15")
async def test_a_run_asks_with_the_title_before_it_deletes(world: World) -> None:
    bench = RunBench(world)
    note = await bench.notes.write(bench.principal, bench.lab, "Milk", "two litres")
    accepted = await bench.ask("delete it")
    asked = call("deleteNote", noteId=str(note.id))
    await bench.advance(accepted, [asked])
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.PAUSED
    pauses = [e.event.pause for e in await bench.events(accepted.run_id) if e.event.type == "choice"]
    text = "Delete the note “Milk”? It can be restored for thirty days."
    assert pauses == [Confirmation(text=text, name="Milk")]
    assert await bench.titles() == ["Milk"]
    await bench.runs.answer(bench.principal, accepted.run_id, asked.call_id, Confirmed(accepted=True))
    await bench.advance(accepted, say("done"))
    assert await bench.titles() == []
    trash = await bench.notes.list(bench.principal, bench.lab, PageRequest(), deleted=True)
    assert [item.title for item in trash.items] == ["Milk"]


async def test_a_conflict_is_the_result_of_the_call(world: World) -> None:
    bench = RunBench(world)
    note = await bench.notes.write(bench.principal, bench.lab, "Milk", "two litres")
    accepted = await bench.ask("change it")
    asked = call("editNote", noteId=str(note.id), text="three litres")
    await bench.advance(accepted, [asked])
    await bench.notes.change(bench.principal, bench.lab, note.id, text="none at all")
    await bench.runs.answer(bench.principal, accepted.run_id, asked.call_id, Reviewed(accepted=True))
    await bench.advance(accepted, say("I see"))
    result = await bench.runs.result(bench.principal, accepted.conversation_id, asked.call_id)
    assert (result.status, result.data["code"]) == (ResultStatus.ERROR, "conflict")
    assert (await bench.notes.get(bench.principal, bench.lab, note.id)).text == "none at all"
