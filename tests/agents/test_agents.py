"""Agents people make: versions, sharing, trash, travel; and who may do what with them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.agents.making import CHEF, agent_of, agents_path, made
from tests.world import World, some_id
from workroom.agents import store
from workroom.agents.glyphs import clean_glyph
from workroom.agents.shipped import ASSISTANT_ID, shipped
from workroom.agents.types import LONGEST_INSTRUCTIONS
from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.pages import Cursor, PageRequest
from workroom.db import trash
from workroom.identity.sharing import Visibility


async def test_an_agent_is_made_found_and_described(world: World) -> None:
    agent = await made(world, description="Cooks.", temperature=1.2, toolNames=["currentTime"])
    assert (agent["version"], agent["builtin"], agent["visibility"]) == (1, False, "MY")
    assert (agent["glyph"], agent["slug"]) == ("A", "ada-the-chef")
    path = agents_path(world)
    assert (await world.call("bob", "GET", f"{path}/{agent['id']}")).json() == agent
    listed = (await world.call("bob", "GET", f"{path}?language=de")).json()
    assert listed["total"] == 1 + len(shipped())
    names = [item["name"] for item in listed["items"] if item["team"] is None]
    assert names == sorted(names, key=str.lower)
    assert "Assistent" in names, "shipped ones speak the reader's language"
    found = (await world.call("bob", "GET", f"{path}?q=cooks&limit=1")).json()
    assert [item["id"] for item in found["items"]] == [agent["id"]]


async def test_lists_page_over_shipped_and_own_ones_alike(world: World) -> None:
    for number in range(3):
        await agent_of(world, "bob", f"Agent {number}")
    principal, lab = world["bob"].principal, world.instances["lab"].id
    page = await world.services.agents.list(principal, lab, PageRequest(sort="updatedAt", limit=2))
    seen = [agent.id for agent in page.items]
    while page.next_cursor is not None:
        request = PageRequest(sort="updatedAt", limit=2, cursor=Cursor.decode(page.next_cursor))
        page = await world.services.agents.list(principal, lab, request)
        seen += [agent.id for agent in page.items]
    assert len(seen) == len(set(seen)) == 3 + len(shipped()) == page.total


async def test_every_change_is_a_version_and_old_ones_come_back(world: World) -> None:
    agent = await made(world)
    path = f"{agents_path(world)}/{agent['id']}"
    second = (await world.call("bob", "PATCH", path, {"version": 1, "name": "Bea", "temperature": 0})).json()
    assert (second["version"], second["name"], second["instructions"]) == (2, "Bea", agent["instructions"])
    same = (await world.call("bob", "PATCH", path, {"version": 2, "name": " Bea "})).json()
    assert same["version"] == 2, "nothing said is nothing new"
    late = await world.call("bob", "PATCH", path, {"version": 1, "name": "Too late"})
    assert (late.status_code, late.json()["code"], late.json()["details"]["version"]) == (409, "agentChanged", 2)
    third = (await world.call("bob", "POST", f"{path}/versions/1/restore")).json()
    assert (third["version"], third["name"], third["temperature"]) == (3, "Ada the chef", 0.7)
    history = (await world.call("bob", "GET", f"{path}/versions?order=desc")).json()["items"]
    assert [(v["version"], v["name"], v["restoredFrom"], v["madeByName"]) for v in history] == [
        (3, "Ada the chef", 1, "Bob"),
        (2, "Bea", None, "Bob"),
        (1, "Ada the chef", None, "Bob"),
    ]
    assert history[1]["content"]["temperature"] == 0
    assert (await world.call("bob", "POST", f"{path}/versions/9/restore")).status_code == 404


async def test_a_deleted_agent_is_in_the_trash_and_comes_back_or_goes_after_thirty_days(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await made(world)
    path = f"{agents_path(world)}/{agent['id']}"
    assert (await world.call("bob", "DELETE", path)).status_code == 204
    assert (await world.call("bob", "GET", path)).status_code == 404
    thrown = (await world.call("bob", "GET", f"{agents_path(world)}?deleted=true")).json()["items"]
    assert [item["id"] for item in thrown] == [agent["id"]], "and no shipped ones"
    assert (await world.call("bob", "POST", f"{path}/restore")).json()["deletedAt"] is None
    assert (await world.call("bob", "GET", path)).status_code == 200
    await world.call("bob", "DELETE", path)
    assert await trash.empty_trash(world.services.db, "agents", store.sweep) == 0
    monkeypatch.setattr(trash, "now", lambda: now() + timedelta(days=31))
    assert await trash.empty_trash(world.services.db, "agents", store.sweep) == 1
    assert (await world.call("bob", "POST", f"{path}/restore")).status_code == 404


async def test_shipped_agents_are_copied_not_changed(world: World) -> None:
    path = f"{agents_path(world)}/{ASSISTANT_ID}"
    for method, more, body in (
        ("PATCH", "", {"version": 1, "name": "Mine"}),
        ("DELETE", "", None),
        ("PUT", "/visibility", {"visibility": "MY"}),
    ):
        refused = await world.call("alice", method, path + more, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "agentBuiltin")
    copy = await world.call("bob", "POST", f"{path}/duplicate", {"name": "Mine", "language": "pt"})
    assert copy.status_code == 201
    assert (copy.json()["name"], copy.json()["builtin"], copy.json()["visibility"]) == ("Mine", False, "MY")
    assert copy.json()["instructions"] == shipped()[ASSISTANT_ID].instructions.model_dump()


async def test_who_sees_and_changes_an_agent(world: World) -> None:
    agent = await made(world)
    path = f"{agents_path(world)}/{agent['id']}"

    async def seen_by() -> set[str]:
        return {
            n for n in ("alice", "bob", "rita", "olaf", "zoe") if (await world.call(n, "GET", path)).status_code == 200
        }

    assert await seen_by() == {"bob"}, "private: its owner's, whatever others' roles say"
    assert (await world.call("bob", "PUT", f"{path}/visibility", {"visibility": "GROUP"})).status_code == 200
    assert await seen_by() == {"alice", "bob", "rita"}
    refused = await world.call("rita", "PATCH", path, {"version": 1, "name": "x"})
    assert refused.status_code == 403
    promoted = await world.call("bob", "PUT", f"{path}/visibility", {"visibility": "ALL"})
    assert (promoted.status_code, promoted.json()["code"]) == (403, "promotionRefused")
    assert (await world.call("alice", "PUT", f"{path}/visibility", {"visibility": "ALL"})).status_code == 200
    refused = await world.call("bob", "PUT", f"{path}/visibility", {"visibility": "MY"})
    assert refused.json()["code"] == "promotionRefused"
    assert (await world.call("rita", "POST", agents_path(world), CHEF)).status_code == 403, "readers make none"
    audited = (await world.call("alice", "GET", "/api/audit?order=desc&q=agent")).json()["items"]
    assert {"agent.created", "agent.shared"} <= {entry["action"] for entry in audited}


async def test_what_is_shared_with_everybody_is_found_in_every_workspace(world: World) -> None:
    agent = await agent_of(world, "alice", "House style", visibility=Visibility.ALL)
    other = await world.services.instances.create(world["alice"].principal, "Other")
    await world.services.instances.put_member(world["alice"].principal, other.id, world["olaf"].user.id, None)
    listed = (await world.call("olaf", "GET", f"/api/instances/{other.id}/agents")).json()["items"]
    assert str(agent.id) in [item["id"] for item in listed]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"instructions": {}}, "instructions"),
        ({"instructions": {"en": "  "}}, "instructions"),
        ({"instructions": {"en": "x" * (LONGEST_INSTRUCTIONS + 1)}}, "instructions.en"),
        ({"instructions": {"en": "x" * 200_000}}, "instructions.en"),
        ({"instructions": {"en": "a\x00b"}}, "instructions.en"),
        ({"instructions": {"xx": "hello"}}, "instructions.xx"),
        ({"name": " "}, "name"),
        ({"glyph": "ab"}, "glyph"),
        ({"toolSets": ["nonsense"]}, "toolSets"),
        ({"toolNames": ["no spaces please"]}, "toolNames.0"),
        ({"temperature": 3}, "temperature"),
        ({"model": "no-slash"}, "model"),
        ({"maxRounds": 0}, "maxRounds"),
        ({"handsTo": [str(some_id())]}, "handsTo"),
        ({"forcing": "sometimes"}, "forcing"),
        ({"surprise": 1}, "surprise"),
    ],
)
async def test_what_does_not_fit_is_refused_with_its_field(
    shared_world: World, wrong: dict[str, object], field: str
) -> None:
    answer = await shared_world.call("bob", "POST", agents_path(shared_world), CHEF | wrong)
    assert answer.status_code == 422, answer.text
    details = answer.json()["details"]
    assert field in (details.get("field"), *(item["field"] for item in details.get("fields", ())))
    assert "xxx" not in answer.text, "what was sent is not sent back"


async def test_trust_in_tools_is_given_by_those_who_may_change_the_workspace(world: World) -> None:
    refused = await world.call("bob", "POST", agents_path(world), CHEF | {"trustedTools": ["sendMail"]})
    assert (refused.status_code, refused.json()["details"]["field"]) == (403, "trustedTools")
    agent = await made(world, "alice", trustedTools=["sendMail"], visibility="GROUP")
    path = f"{agents_path(world)}/{agent['id']}"
    copy = (await world.call("bob", "POST", f"{path}/duplicate", {})).json()
    assert copy["trustedTools"] == [], "nor by copying"
    file = (await world.call("bob", "GET", f"{path}/export")).json()
    back = (await world.call("alice", "POST", f"{agents_path(world)}/import?onConflict=keepBoth", file)).json()
    assert back["agent"]["trustedTools"] == [], "nor by importing"
    assert [w["field"] for w in back["warnings"] if w["value"] == "sendMail"] == ["trustedTools"]


async def test_an_exported_agent_comes_back_as_it_was_and_what_is_unknown_is_reported(world: World) -> None:
    translator = next(agent for agent in shipped().values() if agent.slug == "translator")
    agent = await made(world, toolNames=["currentTime"], handsTo=[str(translator.id)], maxCostCHF="0.5")
    file = (await world.call("bob", "GET", f"{agents_path(world)}/{agent['id']}/export")).json()
    assert file["agent"]["handsTo"] == ["translator"]
    back = (await world.call("bob", "POST", f"{agents_path(world)}/import?onConflict=keepBoth", file)).json()
    assert back["warnings"] == []
    changing = {"id", "createdAt", "updatedAt"}
    assert {k: v for k, v in back["agent"].items() if k not in changing} == {
        k: v for k, v in agent.items() if k not in changing
    }
    file["agent"] |= {"toolNames": ["teleport"], "toolSets": ["spaceship"], "handsTo": ["nobody"]}
    odd = (await world.call("bob", "POST", f"{agents_path(world)}/import?onConflict=keepBoth", file)).json()
    assert {(w["field"], w["value"]) for w in odd["warnings"]} == {
        ("toolNames", "teleport"),
        ("toolSets", "spaceship"),
        ("handsTo", "nobody"),
    }
    assert (odd["agent"]["toolNames"], odd["agent"]["toolSets"]) == (["teleport"], [])
    broken = await world.call("bob", "POST", f"{agents_path(world)}/import", file | {"formatVersion": 2})
    assert broken.status_code == 422


async def test_an_agent_that_is_imported_again_replaces_the_first_if_that_is_wanted(world: World) -> None:
    path = f"{agents_path(world)}/import"
    agent = await made(world)
    file = (await world.call("bob", "GET", f"{agents_path(world)}/{agent['id']}/export")).json()
    file["agent"]["description"] = "Cooks without salt."
    refused = await world.call("bob", "POST", path, file)
    assert (refused.status_code, refused.json()["code"]) == (409, "agentExists")
    assert refused.json()["details"] == {"agentId": agent["id"], "name": agent["name"]}

    replaced = (await world.call("bob", "POST", f"{path}?onConflict=replace", file)).json()
    assert (replaced["replaced"], replaced["agent"]["id"]) == (True, agent["id"])
    assert (replaced["agent"]["version"], replaced["agent"]["description"]) == (2, "Cooks without salt.")
    both = (await world.call("bob", "POST", f"{path}?onConflict=keepBoth", file)).json()
    assert (both["replaced"], both["agent"]["id"] != agent["id"]) == (False, True)


async def test_an_import_never_replaces_what_the_importer_may_not_change(world: World) -> None:
    agent = await made(world, "alice", visibility="GROUP")
    file = (await world.call("bob", "GET", f"{agents_path(world)}/{agent['id']}/export")).json()
    imported = await world.call("bob", "POST", f"{agents_path(world)}/import?onConflict=replace", file)
    assert imported.status_code == 201
    assert (imported.json()["replaced"], imported.json()["agent"]["id"] != agent["id"]) == (False, True)


async def test_an_agent_hands_over_to_what_its_maker_may_use(world: World) -> None:
    private = await agent_of(world, "alice", "Private", visibility=Visibility.MY)
    refused = await world.call("bob", "POST", agents_path(world), CHEF | {"handsTo": [str(private.id)]})
    assert (refused.status_code, refused.json()["details"]["field"]) == (422, "handsTo")
    agent = await made(world)
    path = f"{agents_path(world)}/{agent['id']}"
    itself = await world.call("bob", "PATCH", path, {"version": 1, "handsTo": [agent["id"]]})
    assert itself.status_code == 422


def test_a_sign_is_one_letter_or_one_emoji() -> None:
    for good in ("A", "7", "ß", "字", "🍳", "👩‍🍳", "👍🏽", "🇨🇭", "✏️", "❤️"):
        assert clean_glyph(good, "Name") == good
    assert clean_glyph(" ", "ada") == "A"
    for bad in ("AB", "🍳🍳", "🇨🇭🇨🇭", "A🍳", "\u200d\u200d", "\n\n\x00"):
        with pytest.raises(InvalidInput):
            clean_glyph(bad, "\x00")


async def test_private_agents_go_with_their_owner_and_shared_ones_stay(world: World) -> None:
    private = await agent_of(world, "bob", "Private", visibility=Visibility.MY)
    shared = await agent_of(world, "bob", "Shared")
    assert (await world.call("alice", "DELETE", f"/api/users/{world['bob'].user.id}")).status_code == 204
    principal = world["alice"].principal
    async with world.services.db.unit_of_work(principal.actor) as uow:
        assert await store.get(uow, principal.mandate_id, private.id) is None
        kept = await store.get(uow, principal.mandate_id, shared.id)
    assert kept is not None
    assert kept.owner_id is None
