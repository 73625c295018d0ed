"""Proposals that stay open: seen by who may read the file, decided once by who may change it, merged with newer versions."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from tests.files.sending import content, make, store
from tests.world import World
from workroom.contents import proposals
from workroom.contents.types import FileProposal
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, NotFound
from workroom.core.ids import new_id
from workroom.core.writing_agent import WritingAgent
from workroom.files.types import File, FileChange, NewFile, OnConflict
from workroom.identity.sharing import Visibility

BEFORE = "# Roof\n\nTiles: 1200\nWood: 800\n\nOffer by Acme\n"
AFTER = BEFORE.replace("1200", "1300").replace("Acme", "Acme AG")
AGENT = WritingAgent(new_id(), "Editor")


async def propose(world: World, file: File, name: str = "bob") -> FileProposal:
    principal = world[name].principal
    made = FileProposal(
        id=new_id(), file_id=file.id, version=file.version, before=BEFORE, after=AFTER, proposed_by=principal.user_id,
        proposed_at=now(),
    )  # fmt: skip
    async with world.services.db.unit_of_work(principal.actor) as uow:
        await proposals.keep(uow, principal, made, AGENT)
    return made


async def offer(world: World, **more: Any) -> File:
    return await make(
        world, "bob", "offer.md", BEFORE.replace("\n", "\r\n").encode(), media_type="text/markdown", **more
    )


async def ask(world: World, name: str, file: File, path: str = "", body: Any = None) -> httpx2.Response:
    return await world.call(name, "GET" if body is None else "POST", f"/api/files/{file.id}/proposals{path}", body)


async def decide(world: World, proposal: FileProposal, name: str = "bob", **body: Any) -> httpx2.Response:
    return await world.call(name, "POST", f"/api/files/{proposal.file_id}/proposals/{proposal.id}/decision", body)


@pytest.mark.requirement("J3")
async def test_an_open_proposal_is_listed_until_a_part_of_it_is_accepted(world: World) -> None:
    file = await offer(world)
    proposal = await propose(world, file)
    [listed] = (await ask(world, "bob", file)).json()["items"]
    assert (listed["id"], listed["agentName"], listed["proposedByName"]) == (str(proposal.id), "Editor", "Bob")
    assert not {"before", "after"} & listed.keys(), "twenty long texts are not for a list"
    whole = (await ask(world, "bob", file, f"/{proposal.id}")).json()
    assert (whole["before"], whole["after"], whole["state"]) == (BEFORE, AFTER, "open")
    decided = await decide(world, proposal, accepted=True, text=BEFORE.replace("1200", "1300"))
    assert decided.status_code == 200, decided.text
    assert (decided.json()["state"], decided.json()["became"]) == ("accepted", 2)
    assert (await content(world, "bob", file.id)).text == BEFORE.replace("1200", "1300").replace("\n", "\r\n")
    [newest, _] = (await world.call("bob", "GET", f"/api/files/{file.id}/versions")).json()["items"]
    assert (newest["agentName"], newest["madeByName"]) == ("Editor", "Bob")
    assert (await ask(world, "bob", file)).json()["items"] == []
    assert (await ask(world, "bob", file, f"/{proposal.id}")).json()["state"] == "accepted", "it is still there"


@pytest.mark.requirement("J3")
async def test_a_rejected_one_changes_nothing_and_is_decided_for_good(world: World) -> None:
    file = await offer(world)
    proposal = await propose(world, file)
    assert (await decide(world, proposal, accepted=False)).json()["state"] == "rejected"
    for accepted in (True, False):
        again = await decide(world, proposal, accepted=accepted)
        assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert (await world.services.files.get(world["bob"].principal, file.id)).version == 1


@pytest.mark.requirement("J3")
async def test_it_is_decided_once_also_by_several_at_the_same_moment(world: World) -> None:
    file = await offer(world)
    proposal = await propose(world, file)
    answers = await asyncio.gather(*[decide(world, proposal, accepted=True) for _ in range(4)])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert (await world.services.files.get(world["bob"].principal, file.id)).version == 2


@pytest.mark.requirement("J3")
async def test_what_changed_meanwhile_is_merged_or_in_the_way_and_then_it_stays_open(world: World) -> None:
    file = await offer(world)
    proposal, other = await propose(world, file), await propose(world, file)
    newer = "New\n" + BEFORE.replace("1200", "1250")
    await store(
        world, "bob", newer.encode(), NewFile("offer.md", on_conflict=OnConflict.VERSION, media_type="text/markdown")
    )
    refused = await decide(world, proposal, accepted=True)
    assert (refused.status_code, refused.json()["code"], refused.json()["details"]) == (
        409,
        "fileChanged",
        {"name": "offer.md", "version": 2, "lines": [4]},
    )
    assert (await content(world, "bob", file.id)).text == newer
    assert len((await ask(world, "bob", file)).json()["items"]) == 2
    part = BEFORE.replace("Acme", "Acme AG")
    assert (await decide(world, proposal, accepted=True, text=part)).json()["became"] == 3
    assert (await content(world, "bob", file.id)).text == newer.replace("Acme", "Acme AG")
    nothing = await decide(world, other, accepted=True, text=BEFORE)
    assert (nothing.status_code, nothing.json()["code"]) == (422, "invalidInput")


@pytest.mark.requirement("N2", "H6")
async def test_who_reads_the_file_sees_it_and_who_may_change_it_decides(world: World) -> None:
    private, shared = await offer(world), await make(world, "bob", "b.md", BEFORE.encode(), visibility=Visibility.GROUP)
    hidden, seen = await propose(world, private), await propose(world, shared)
    for name in ("alice", "rita", "olaf", "zoe"):
        for path in ("", f"/{hidden.id}"):
            assert (await ask(world, name, private, path)).status_code == 404
        assert (await decide(world, hidden, name, accepted=True)).status_code == 404
    assert (await ask(world, "rita", shared, f"/{seen.id}")).json()["after"] == AFTER
    assert (await decide(world, seen, "rita", accepted=True)).status_code == 403
    assert (await ask(world, "rita", shared, f"/{hidden.id}")).status_code == 404, "it is about another file"
    await world.services.files.change(world["bob"].principal, shared.id, FileChange(visibility=Visibility.MY))
    assert (await ask(world, "rita", shared, f"/{seen.id}")).status_code == 404
    assert (await decide(world, seen, accepted=True)).status_code == 200
    with pytest.raises(NotFound):
        await propose(world, private, "alice")
    await world.services.files.change(world["bob"].principal, shared.id, FileChange(visibility=Visibility.GROUP))
    with pytest.raises(Forbidden):
        await propose(world, shared, "rita")


async def test_a_file_has_so_many_open_ones_and_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "MOST_OPEN", 2)
    file = await offer(world)
    first, _ = [await propose(world, file) for _ in range(2)]
    with pytest.raises(Conflict, match="2 proposed changes already"):
        await propose(world, file)
    await decide(world, first, accepted=False)
    await propose(world, file)


async def test_they_go_with_their_file(world: World) -> None:
    file = await offer(world)
    proposal = await propose(world, file)
    await world.services.files.delete(world["bob"].principal, file.id)
    assert (await decide(world, proposal, accepted=True)).status_code == 404
    await world.services.files.delete(world["bob"].principal, file.id, forever=True)
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        assert await uow.fetchval("select count(*) from file_proposals where file_id = $1", file.id) == 0
