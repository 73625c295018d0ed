"""skill_sidebar: the agent and the user write the same document, and neither overwrites the other."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.world import World
from workroom.agent.testing import call, say
from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.documents import DnaDocuments
from workroom.companies.service import Companies
from workroom.companies.types import Company, DocumentInput, DocumentStatus
from workroom.core.errors import Forbidden, InvalidInput
from workroom.core.pages import PageRequest
from workroom.core.results import ResultStatus, ToolResult
from workroom.skills.sidebar import Kind, skill_sidebar

BRIEFING = {"company": "Muster AG", "document": "briefing"}


@pytest.fixture
async def room(world: World) -> Room:
    begun = Room(world)
    await begun.begin_conversation()
    return begun


async def write(room: Room, text: str, **more: Any) -> ToolResult:
    result: ToolResult = await room.call(skill_sidebar, **BRIEFING, text=text, **more)
    return result


async def companies(room: Room) -> list[Company]:
    return list((await room.use(Companies).list(room.principal, room.instance_id, PageRequest())).items)


async def by_hand(room: Room, company: Company, version: int, text: str) -> None:
    given = DocumentInput(version, text, DocumentStatus.DRAFT)
    await room.use(DnaDocuments).write(room.principal, room.instance_id, company.id, "briefing", given)


def test_its_documents_are_those_of_a_company() -> None:
    assert get_args(Kind) == tuple(KINDS)


@pytest.mark.requirement("B7")
async def test_the_first_document_makes_the_company_and_later_ones_are_about_it(room: Room) -> None:
    first = await write(room, "## One")
    [company] = await companies(room)
    assert (company.name, company.language) == ("Muster AG", "de")
    [action] = first.actions
    assert (action.type, action.payload["companyId"], action.payload["version"]) == (
        "companyDocument",
        str(company.id),
        1,
    )
    titles = [in_language(heading.title, "de") for heading in KINDS["briefing"].headings]
    assert first.message.endswith(f"Its headings without text: {', '.join(titles)}.")
    final = await room.call(skill_sidebar, company="Muster", document="swot", text="## Two", final=True)
    assert (final.actions[0].payload["companyName"], final.actions[0].payload["status"]) == ("Muster AG", "final")
    assert len(await companies(room)) == 1, "the conversation is about one company, however the model calls it"


async def test_a_company_that_is_there_is_used(room: Room) -> None:
    made = await room.use(Companies).create(room.principal, room.instance_id, "muster ag")
    assert (await write(room, "x")).actions[0].payload["companyId"] == str(made.id)
    other = Room(room.world)
    await other.begin_conversation()
    await other.use(Companies).create(other.principal, other.instance_id, "Muster AG")
    with pytest.raises(InvalidInput, match="Several companies"):
        await write(other, "x")


@pytest.mark.requirement("B7")
async def test_what_a_person_wrote_since_is_handed_to_the_agent_instead_of_overwritten(room: Room) -> None:
    await write(room, "ours")
    [company] = await companies(room)
    await by_hand(room, company, 1, "theirs")
    refused = await write(room, "ours again", version=1)
    assert refused.status is ResultStatus.ERROR
    assert "theirs" in refused.message
    assert "version 2" in refused.message
    assert (await write(room, "ours again")).status is ResultStatus.ERROR, "it does not say what it was made from"
    merged = await write(room, "both", version=2)
    assert merged.actions[0].payload["version"] == 3
    dna = await room.use(DnaDocuments).dna(room.principal, room.instance_id, company.id)
    assert dna.documents["briefing"].text == "both"


async def test_what_an_agent_wrote_itself_it_may_write_anew(world: World) -> None:
    bench = RunBench(world, tool_names=frozenset({"skill_sidebar"}))
    accepted = await bench.ask("Write the briefing.")
    calls = [call("skill_sidebar", **BRIEFING, text=text) for text in ("one", "two")]
    await bench.advance(accepted, [calls[0]], [calls[1]], say("Done."))
    rows = await bench.rows("select version, agent_name, run_id from dna_documents order by version")
    assert [(row["version"], row["run_id"]) for row in rows] == [(1, accepted.run_id), (2, accepted.run_id)]
    assert {row["agent_name"] for row in rows} == {"Assistant"}


async def test_what_was_confirmed_is_not_overwritten_unread(room: Room) -> None:
    await write(room, "ours", final=True)
    assert (await write(room, "a draft again")).status is ResultStatus.ERROR
    assert (await write(room, "a new version", version=1)).status is ResultStatus.OK


async def test_what_an_agent_wrote_for_another_person_is_not_overwritten_unread(world: World) -> None:
    of_alice = Room(world, "alice")
    await of_alice.begin_conversation()
    await write(of_alice, "hers")
    room = Room(world)
    await room.begin_conversation()
    refused = await write(room, "mine")
    assert (refused.status, refused.untrusted) == (ResultStatus.ERROR, True)
    assert "hers" in refused.message


async def test_who_may_not_write_companies_writes_none(room: Room) -> None:
    with pytest.raises(Forbidden):
        await write(room.as_("rita"), "x")
    assert await companies(room) == []
