"""Who may learn what of a file: names, dates and texts that were read for others stay theirs, in runs and summaries too."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.contents.room import Desk, numbered_pdf, scalar
from tests.conversations.readers import shared
from tests.documents.containers.hostile import zipped
from tests.files.sending import make
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent import summaries
from workroom.agent.rounds import Round
from workroom.agent.summaries import RoundSpan
from workroom.agent.testing import ScriptedModel, call, say
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, Role, TextPart
from workroom.core.places import file_place
from workroom.identity.sharing import Visibility
from workroom.runs.service import Input


async def test_what_others_call_the_same_compressed_file_is_not_told(world: World) -> None:
    packed = gzip.compress(b"The answer is apples.", mtime=0)
    theirs = await Desk.with_file(world, "Dismissal of Bob.txt.gz", packed, "alice")
    await theirs.told("members")
    await theirs.told("reading", inside="Dismissal of Bob.txt")
    mine = await Desk.with_file(world, "harmless.csv.gz", packed)
    members = await mine.told("members")
    assert "Dismissal" not in json.dumps(members)
    assert [member["path"] for member in members["items"]] == ["harmless.csv"]
    assert await mine.texts(inside="harmless.csv") == ["The answer is apples."]


async def test_when_and_what_others_read_of_the_same_content_is_not_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept of a content is everybody's who has it; since when, and which page somebody had recognised, is not."""

    async def ocr(*_: object, **__: object) -> str:
        return "recognised"

    monkeypatch.setattr(world.services.reader._reader.parsers, "ocr", ocr)
    theirs = await Desk.with_file(world, "theirs.pdf", numbered_pdf(3), "alice")
    await theirs.texts(part="page:2")
    assert (await theirs.post("ocr", page=3)).json() == {"text": "recognised"}
    mine = await Desk.with_file(world, "mine.pdf", numbered_pdf(3))
    stored = (await world.services.files.get(world["bob"].principal, mine.file_id)).created_at
    found = await mine.told("index")
    assert found["extractedAt"] >= stored.isoformat()[:-6]
    assert "recognised" not in json.dumps(found["objectSummary"])
    assert found["totalObjects"] == 1


async def test_who_may_not_store_here_cannot_fill_the_disk_by_taking_out(world: World) -> None:
    file = await make(world, "bob", "a.zip", zipped({"a.bin": b"x" * 1000}))
    await world.call("bob", "PATCH", f"/api/files/{file.id}", {"visibility": "GROUP"})
    before = await scalar(world, "select count(*) from blobs")
    refused = await Desk(world, file.id, "rita").post("members/extract", paths=["a.bin"])
    assert refused.status_code == 403
    assert await scalar(world, "select count(*) from blobs") == before


@pytest.mark.requirement("H6")
async def test_what_a_tool_read_for_one_is_not_shown_to_the_model_of_another(world: World) -> None:
    """As what was read for a question: it is left out for others, who read it again with their own rights."""
    bench = RunBench(world, tool_sets=frozenset({"core"}))
    file = await make(world, "bob", "secret.txt", b"the canary sings")
    accepted = await bench.ask("What does my file say?")
    await bench.advance(accepted, [call("readFile", fileId=str(file.id))], say("A bird."))
    await shared(world, accepted.conversation_id, "alice")
    alice = world["alice"].principal
    asked = await bench.runs.input(alice, bench.lab, Input("And?", conversation_id=accepted.conversation_id))
    model = await bench.advance(asked, say("Who knows."))
    assert "canary" not in "".join(message.readable for message in model.requests[0].messages)


async def test_a_question_asked_again_reads_with_the_rights_of_today(world: World) -> None:
    bench = RunBench(world)
    file = await make(world, "alice", "plan.txt", b"the canary sings", visibility=Visibility.GROUP)
    accepted = await bench.ask("What is in @plan.txt?")
    await bench.advance(accepted, say("A bird."))
    await world.call("alice", "PATCH", f"/api/files/{file.id}", {"visibility": "MY"})
    assert (await Desk(world, file.id).ask("reading")).status_code == 404
    again = await bench.runs.retry(bench.principal, bench.lab, accepted.conversation_id)
    model = await bench.advance(again, say("Who knows."))
    assert "canary" not in "".join(message.readable for message in model.requests[0].messages)


def test_what_was_read_for_one_is_not_in_a_summary_for_all() -> None:
    """Whoever goes on with a colleague's conversation gets its summaries, whatever they may read themselves."""
    read = MaterialPart(kind="text", place=file_place("secret.txt"), text="the canary sings", read_for=new_id())
    asked = Message(id=new_id(), role=Role.USER, parts=[TextPart(text="What is in @secret.txt?"), read])
    said = Message(id=new_id(), role=Role.ASSISTANT, parts=[TextPart(text="A bird.")])
    wanted = summaries.request(RoundSpan(1, 1), [], [Round((asked, said), said.id)], ScriptedModel(say("")).info)
    assert "canary" not in "".join(message.readable for message in wanted.messages)
