"""Documents about a company: versions with their authors, what is missing, two who write at once."""

from __future__ import annotations

import asyncio

import pytest

from tests.companies.making import complete, create, path, write
from tests.world import World
from workroom.companies import documents
from workroom.companies.document_kinds import KINDS
from workroom.companies.errors import DocumentChanged
from workroom.companies.types import DocumentInput, DocumentStatus
from workroom.core.ids import new_id
from workroom.core.writing_agent import WritingAgent


async def test_finalising_the_briefing_frees_what_builds_on_it_and_changing_it_later_makes_that_stale(
    world: World,
) -> None:
    company = await create(world)
    at = path(world, company["id"], "documents")
    states = {one["kind"]: one for one in (await world.call("rita", "GET", at + "?language=en")).json()}
    assert list(states) == list(KINDS)
    assert (states["swot"]["waitsFor"], states["swot"]["status"]) == (["briefing"], "empty")
    assert states["briefing"]["name"] == "Briefing"
    assert "Markt und Wettbewerb" in states["briefing"]["missingHeadings"], "in the language of the company"
    await write(world, company, "briefing", 0, "## Market and competition\n\nCrowded.\n")
    written = await write(world, company, "briefing", 1, complete("briefing"), "final")
    assert (written["version"], written["status"], written["missingHeadings"]) == (2, "final", [])
    assert (written["writtenByName"], written["agentId"]) == ("Bob", None)
    swot = await write(world, company, "swot", 0, "## Stärken\n\nLage.")
    assert (swot["waitsFor"], swot["staleAfter"], len(swot["missingHeadings"])) == ([], [], 5)
    await write(world, company, "briefing", 2, complete("briefing") + "\n\nMore.", "final")
    states = {one["kind"]: one for one in (await world.call("rita", "GET", at)).json()}
    assert (states["swot"]["staleAfter"], states["audience"]["staleAfter"]) == (["briefing"], [])
    assert states["audience"]["waitsFor"] == ["swot"]


async def test_every_change_is_a_version_and_an_earlier_one_comes_back_as_a_new_one(world: World) -> None:
    company = await create(world)
    await write(world, company, "swot", 0, "One", "final")
    await write(world, company, "swot", 1, "Two", by="alice")
    await write(world, company, "swot", 2, "Two", by="alice")
    at = path(world, company["id"], "documents", "swot", "versions")
    listed = (await world.call("rita", "GET", at + "?sort=version&order=desc")).json()
    found = [(one["version"], one["status"], one["writtenByName"]) for one in listed["items"]]
    assert found == [(2, "draft", "Alice"), (1, "final", "Bob")], "the same text again is no version"
    assert (await world.call("rita", "GET", f"{at}/1")).json()["text"] == "One"
    assert (await world.call("bob", "GET", f"{at}/9")).status_code == 404
    assert (await world.call("rita", "POST", f"{at}/1/restore")).status_code == 403
    restored = (await world.call("bob", "POST", f"{at}/1/restore")).json()
    assert (restored["version"], restored["text"], restored["status"]) == (3, "One", "final")
    assert restored["restoredFrom"] == 1


async def test_a_write_made_from_an_older_version_overwrites_nothing_and_says_which_is_the_newest(world: World) -> None:
    company = await create(world)
    await write(world, company, "briefing", 0, "Mine")
    late = {"version": 0, "text": "Theirs"}
    answer = await world.call("alice", "PUT", path(world, company["id"], "documents", "briefing"), late)
    assert (answer.status_code, answer.json()["code"]) == (409, "documentChanged")
    assert answer.json()["details"] == {"kind": "briefing", "version": 1}
    await write(world, company, "briefing", 1, "Theirs", by="alice")


async def test_of_two_who_write_at_once_one_is_refused(world: World) -> None:
    company, bob, lab = await create(world), world["bob"].principal, world.instances["lab"].id

    async def attempt(text: str) -> int:
        given = DocumentInput(0, text)
        return (await world.services.dna_documents.write(bob, lab, company["id"], "goals", given)).version

    outcomes = await asyncio.gather(*(attempt(f"Text {number}") for number in range(4)), return_exceptions=True)
    assert sorted(str(one) for one in outcomes if isinstance(one, int)) == ["1"]
    assert sum(isinstance(one, DocumentChanged) for one in outcomes) == 3


async def test_an_agent_writes_in_a_transaction_of_its_own_run(world: World) -> None:
    """Undone with it, and known as its author."""
    company, bob, lab = await create(world), world["bob"].principal, world.instances["lab"].id
    agent = WritingAgent(new_id(), "Briefing specialist")
    given = DocumentInput(0, "A text.", DocumentStatus.DRAFT)
    with pytest.raises(ZeroDivisionError):
        async with world.services.db.unit_of_work(bob.actor) as uow:
            await documents.write(uow, bob, lab, company["id"], "briefing", given, agent)
            raise ZeroDivisionError
    async with world.services.db.unit_of_work(bob.actor) as uow:
        written = await documents.write(uow, bob, lab, company["id"], "briefing", given, agent)
    assert (written.version, written.agent_id, written.agent_name) == (1, agent.id, "Briefing specialist")
    assert (written.written_by, written.written_by_name) == (bob.user_id, "Bob")


@pytest.mark.parametrize(
    ("text", "status", "stored"),
    [("  \n", "final", "empty"), ("x", "empty", "draft"), ("x", "final", "final")],
)
async def test_without_a_text_it_is_empty_and_with_one_it_is_not(
    world: World, text: str, status: str, stored: str
) -> None:
    company = await create(world)
    await write(world, company, "briefing", 0, "Something.")
    assert (await write(world, company, "briefing", 1, text, status))["status"] == stored


async def test_what_is_too_large_or_no_document_is_refused(world: World) -> None:
    company = await create(world)
    at = path(world, company["id"], "documents", "briefing")
    for text in ("x" * 300_001, "é" * 160_000, "a\x00b"):
        assert (await world.call("bob", "PUT", at, {"version": 0, "text": text})).status_code == 422
    other = path(world, company["id"], "documents", "slogan")
    for method, body in (("GET", None), ("PUT", {"version": 0, "text": "x"})):
        assert (await world.call("bob", method, other, body)).status_code == 404
