"""`/api/chat` as its callers know it: the three worked examples, choices that are taken once, sessions that are one's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.planner_chat import EXTRACT, Chat, by_rules
from tests.interaction.talking import worker
from tests.world import World, some_id
from workroom.agent.planning.wording import say
from workroom.api import run_reader
from workroom.core.clock import now
from workroom.core.map_actions import METRES_AT_0
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, Reply, ScriptedProvider
from workroom.models.testing.behaviours import PLANS, planner
from workroom.runs import chat_sessions

GOTO = "Gehe zur Langendorfstrasse 19b in Solothurn"
GOTO_AND_LAYER = "Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer"

VIEW = {"type": "setView", "payload": {"center": [2609767.1, 1228437.4], "zoom": 17, "crs": "EPSG:2056"}}
PIN = {
    "type": "addMarker",
    "payload": {
        "id": "addr-7568",
        "coord": [2609767.1, 1228437.4],
        "style": "pin-default",
        "label": "Langendorfstrasse 19b, 4500 Solothurn",
    },
}
ADDRESS = {
    "intent": "goto_address",
    "status": "ok",
    "message": "Adresse Langendorfstrasse 19b zentriert.",
    "mapActions": [VIEW, PIN],
    "choices": [],
}


def parcel(number: int, letter: str, confidence: float, coord: list[float]) -> dict[str, Any]:
    egrid = f"CH12345678910{number}"
    place = number - 10
    pin = {"id": f"choice-p{place}", "coord": coord, "style": "pin-default", "label": f"Parzelle {letter}"}
    return {
        "id": f"p{place}",
        "label": f"EGRID {egrid} – Parzelle {letter}",
        "confidence": confidence,
        "mapActions": [{"type": "addMarker", "payload": pin}],
        "data": {"egrid": egrid, "coord": coord},
    }


PARCELS = [parcel(11, "A", 0.91, [2600513, 1215519]), parcel(12, "B", 0.78, [2600520, 1215525])]


@asynccontextmanager
async def by_model(world: World, address: DatabaseAddress) -> AsyncIterator[Chat]:
    async with ScriptedProvider(behaviour=planner) as provider, worker(world, address, provider):
        yield Chat(world)


@pytest.fixture(params=["rules", "model"])
async def chat(request: pytest.FixtureRequest, world: World, address: DatabaseAddress) -> AsyncIterator[Chat]:
    async with (by_rules if request.param == "rules" else by_model)(world, address) as talking:
        yield talking


@pytest.fixture
async def offline(world: World, address: DatabaseAddress) -> AsyncIterator[Chat]:
    async with by_rules(world, address) as talking:
        yield talking


@pytest.mark.requirement("E3", "E6", "E7")
async def test_one_address(chat: Chat) -> None:
    told = await chat.says(GOTO)
    assert told.keys() == {"requestId", "overallStatus", "steps"}
    assert (told["overallStatus"], told["steps"]) == ("ok", [ADDRESS])


@pytest.mark.requirement("E3")
async def test_several_places_are_shown_together(offline: Chat) -> None:
    told = await offline.says("zeig Bern, Zürich und Olten")
    views = [step["mapActions"][0]["payload"] for step in told["steps"]]
    pins = [step["mapActions"][1]["payload"]["coord"] for step in told["steps"]]
    assert (views[0]["center"], views[0]["zoom"]) == (pins[0], 13), "one alone as always"
    assert views[0]["zoom"] > views[1]["zoom"] == views[2]["zoom"]
    reach = 120 * METRES_AT_0 / 2 ** views[2]["zoom"]  # of a narrow map, to each side
    for pin in pins:
        assert all(abs(middle - at) <= reach for middle, at in zip(views[2]["center"], pin, strict=True))


@pytest.mark.requirement("E1", "E3", "E6")
async def test_an_address_and_a_layer(chat: Chat) -> None:
    told = await chat.says(GOTO_AND_LAYER)
    assert told["overallStatus"] == "ok"
    address, layer = told["steps"]
    assert address == ADDRESS
    assert (layer["intent"], layer["status"], layer["choices"]) == ("load_layer", "ok", [])
    [action] = layer["mapActions"]
    payload = action["payload"]
    assert (action["type"], payload["id"], payload["type"], payload["visible"]) == (
        "addLayer",
        "ch.so.gws",
        "wmts",
        True,
    )
    assert payload["source"]["url"].endswith("/{TileMatrix}/{TileRow}/{TileCol}.svg")
    assert payload["sample"] is True


@pytest.mark.requirement("E2", "E4", "E5", "E6")
async def test_a_choice_and_what_follows(chat: Chat) -> None:
    told = await chat.says(EXTRACT)
    assert told["overallStatus"] == "needs_user_choice"
    [step] = told["steps"]
    assert step == {
        "intent": "oereb_extract",
        "status": "needs_user_choice",
        "message": "Bitte wähle das betroffene Grundstück.",
        "mapActions": [],
        "choices": PARCELS,
    }
    following = await chat.chooses("p1")
    assert (following["requestId"], following["overallStatus"]) == (told["requestId"], "ok")
    [step] = following["steps"]
    assert (step["intent"], step["status"], step["choices"]) == ("oereb_extract", "ok", [])
    assert step["message"] == "ÖREB-Auszug für CH1234567891011 bereit."
    view, pin, extract = step["mapActions"]
    coord = [2600513, 1215519]
    assert view == {"type": "setView", "payload": {"center": coord, "zoom": 18, "crs": "EPSG:2056"}}
    named = {"id": "oereb-CH1234567891011", "style": "pin-default", "label": "CH1234567891011"}
    assert pin == {"type": "addMarker", "payload": {**named, "coord": coord}}
    assert (extract["type"], extract["payload"]["egrid"]) == ("showOerebExtract", "CH1234567891011")
    assert extract["payload"]["url"].endswith(".pdf")


@pytest.mark.requirement("E5")
async def test_a_choice_is_taken_once_and_a_wrong_one_leaves_it_standing(offline: Chat) -> None:
    await offline.says(EXTRACT)
    wrong = await offline.chooses("p9")
    assert (wrong["overallStatus"], wrong["steps"][0]["mapActions"]) == ("error", [])
    foreign = await offline.chooses("p1", who="alice")  # her session of that name is another one
    assert foreign["overallStatus"] == "error"
    other = await offline.chooses("p1", session="s-2")
    assert other["overallStatus"] == "error"
    assert (await offline.chooses("p2"))["steps"][0]["message"].endswith("CH1234567891012 bereit.")
    again = await offline.chooses("p2")
    assert again["overallStatus"] == "error"
    assert again["steps"][0]["message"]


@pytest.mark.requirement("E5")
async def test_two_choices_at_once_are_one(offline: Chat) -> None:
    await offline.says(EXTRACT)
    both = await asyncio.gather(offline.chooses("p1"), offline.chooses("p2"))
    assert sorted(told["overallStatus"] for told in both) == ["error", "ok"]


@pytest.mark.requirement("E5")
async def test_two_sessions_wait_for_two_choices(offline: Chat) -> None:
    one = await offline.says(EXTRACT, session="one")
    two = await offline.says(EXTRACT, session="two")
    assert one["requestId"] != two["requestId"]
    assert (await offline.chooses("p2", session="two"))["requestId"] == two["requestId"]
    assert (await offline.chooses("p1", session="one"))["requestId"] == one["requestId"]


@pytest.mark.requirement("E5")
async def test_an_old_choice_has_expired(offline: Chat) -> None:
    await offline.says(EXTRACT)
    async with offline.world.services.db.unit_of_work(offline.world["bob"].principal.actor) as uow:
        await uow.execute("update tool_calls set asked_at = $1 where state = 'waiting'", now() - timedelta(days=31))
    told = await offline.chooses("p1")
    assert told["overallStatus"] == "error"
    assert "gilt nicht mehr" in told["steps"][0]["message"]
    assert (await offline.says(GOTO))["overallStatus"] == "ok"  # the session goes on


@pytest.mark.requirement("E6")
async def test_a_forgotten_session_begins_anew(offline: Chat) -> None:
    world = offline.world
    await offline.says(GOTO_AND_LAYER)
    gone = await offline.says("Entferne den Gewässerschutzlayer")
    assert gone["steps"][0]["mapActions"] == [{"type": "removeLayer", "payload": {"id": "ch.so.gws"}}]
    await offline.says("Lade den Gewässerschutzlayer")
    headers = {"X-Workroom-Instance": str(world.instances["lab"].id)}
    for _ in range(2):  # the second time there is nothing to forget
        answer = await world.call("bob", "DELETE", "/api/chat?sessionId=s-1", headers=headers)
        assert answer.status_code == 204
    told = await offline.says("Entferne den Gewässerschutzlayer")
    assert told["steps"][0]["status"] == "needs_clarification"  # the map is empty


@pytest.mark.requirement("E1")
async def test_all_layers_go_and_the_pins_stay(offline: Chat) -> None:
    await offline.says(GOTO_AND_LAYER)
    await offline.says("Lade Wald")
    asked = await offline.says("Kann ich alle Ebenen entfernen?")
    assert [step["mapActions"] for step in asked["steps"]] == [[]], "who asks whether it can be done loses nothing"
    gone = await offline.says("Entferne alle Ebenen")
    orders = gone["steps"][0]["mapActions"]
    assert {order["type"] for order in orders} == {"removeLayer"}
    assert len(orders) == 2
    again = await offline.says("Entferne alle Ebenen")
    assert (again["overallStatus"], again["steps"][0]["mapActions"]) == ("ok", [])
    assert again["steps"][0]["message"] == "Auf der Karte ist keine Ebene."


@pytest.mark.requirement("E6", "N1")
async def test_a_session_is_a_conversation_of_its_own_person(offline: Chat) -> None:
    world, lab = offline.world, offline.world.instances["lab"].id
    await offline.says(GOTO)
    mine = (await world.call("bob", "GET", f"/api/workspace/{lab}/conversations")).json()["items"]
    assert [found["title"] for found in mine] == [GOTO]
    told = await offline.says(GOTO, who="alice")
    assert told["overallStatus"] == "ok"
    hers = (await world.call("alice", "GET", f"/api/workspace/{lab}/conversations")).json()["items"]
    assert mine[0]["id"] not in [found["id"] for found in hers if found["ownerId"] != mine[0]["ownerId"]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"userMessage": "a", "choiceId": "b"},
        {"userMessage": ""},
        {"userMessage": " "},
        {"userMessage": "a", "sessionId": ""},
        {"userMessage": "a", "sessionId": "\x00"},
        {"userMessage": "a", "sessionId": "x" * 201},
        {"userMessage": 5},
        {"userMessage": "a", "instanceId": "x"},
    ],
)
async def test_what_makes_no_sense_is_refused(offline: Chat, body: dict[str, Any]) -> None:
    assert (await offline.post(body)).status_code == 422


async def test_nobody_talks_without_signing_in_and_nobody_where_they_do_not_belong(offline: Chat) -> None:
    world = offline.world
    assert (await offline.post({"userMessage": "a"}, who=None)).status_code == 401
    body = {"sessionId": "s", "userMessage": "a"}
    for instance in (str(some_id()), str(world.instances["lab"].id)):
        answer = await world.call("zoe", "POST", "/api/chat", body, headers={"X-Workroom-Instance": instance})
        assert answer.status_code == 404
    assert (await world.call("olaf", "POST", "/api/chat", body)).status_code == 404  # belongs to no workspace
    assert (await world.call("rita", "POST", "/api/chat", body)).status_code == 403  # may look, not ask


async def test_who_names_no_workspace_is_in_their_oldest(offline: Chat) -> None:
    world = offline.world
    later = await world.services.instances.create(world["alice"].principal, "Later")
    await world.services.instances.put_member(world["alice"].principal, later.id, world["bob"].user.id, None)
    told = await world.call("bob", "POST", "/api/chat", {"sessionId": "s", "userMessage": GOTO})
    assert told.json()["overallStatus"] == "ok"
    found = await world.call("bob", "GET", f"/api/workspace/{world.instances['lab'].id}/conversations")
    assert [one["title"] for one in found.json()["items"]] == [GOTO]


@pytest.mark.requirement("E4")
@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Gehe zur Bahnhofstrasse 1", "needs_user_choice"),
        ("Gehe zur Nirgendwostrasse 999 in Xyzhausen", "needs_clarification"),
        ("Lade den Gewässerschuztlayer", "needs_user_choice"),
        ("Gehe zur Koordinate 9600513, 9215519", "needs_clarification"),
        ("Gehe zur Koordinate 1215519, 2600513", "ok"),
        ("Lösche alles auf der Karte", "ok"),
        ("<script>alert(1)</script>", "needs_clarification"),
    ],
)
async def test_what_people_write(offline: Chat, said: str, status: str) -> None:
    told = await offline.says(said)
    assert told["overallStatus"] == status, told
    assert told["steps"][0]["message"]
    assert "<script>" not in json.dumps(told)


@pytest.mark.requirement("E1")
async def test_a_model_that_plans_badly_is_asked_once_more_and_no_more(world: World, address: DatabaseAddress) -> None:
    bad = Reply(calls=[Call("submitPlan", {"steps": [{"intent": "fly", "toolCalls": []}]})])
    good = Reply(calls=[Call("submitPlan", PLANS[GOTO])])
    async with ScriptedProvider([bad, good, bad, bad]) as provider, worker(world, address, provider):
        chat = Chat(world)
        assert (await chat.says(GOTO))["steps"] == [ADDRESS]
        assert len(provider.requests) == 2
        told = await chat.says(GOTO)
        said_so = f"{ADDRESS['message']} {say('plannedByRules', 'de')}"
        assert told["steps"] == [ADDRESS | {"message": said_so}], "the rules have planned instead"
        assert len(provider.requests) == 4


async def test_a_message_sent_twice_is_one(offline: Chat) -> None:
    body = {"userMessage": GOTO, "clientId": "c-1"}
    one, two = await asyncio.gather(offline.post(body), offline.post(body))
    again = await offline.post(body)
    assert {answer.json()["requestId"] for answer in (one, two, again)} == {one.json()["requestId"]}
    assert again.json() == one.json()


async def test_whoever_waits_is_asked_again_who_they_are(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody carries the run out, so the request waits; the token is taken back meanwhile."""
    monkeypatch.setattr(run_reader, "RIGHTS_SECONDS", 0.0)
    made = await world.services.tokens.create(world["bob"].principal, "for a program")
    headers = {"authorization": f"Bearer {made.secret}"}
    body = {"sessionId": "s", "userMessage": GOTO}
    waiting = asyncio.create_task(world.call(None, "POST", "/api/chat", body, headers=headers))
    path = f"/api/workspace/{world.instances['lab'].id}/conversations"
    while not (await world.call("bob", "GET", path)).json()["items"]:
        pass  # it has not been accepted yet
    await world.services.tokens.revoke(world["bob"].principal, made.token.id)
    assert (await asyncio.wait_for(waiting, 60)).status_code == 401


async def test_not_everything_waits_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_sessions, "MOST_WAITING", 0)
    answer = await world.call("bob", "POST", "/api/chat", {"sessionId": "s", "userMessage": GOTO})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
