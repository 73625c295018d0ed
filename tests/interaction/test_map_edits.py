"""What people change on a map over HTTP: it is part of the conversation, for everybody who may read it, and agents know of it."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.interaction.map_edits import Chart, begun
from tests.interaction.talking import ask, finished, worker
from tests.world import World, some_id
from workroom.agents.shipped import NAVIGATOR_ID
from workroom.api.events import _may_see
from workroom.conversations import map_store
from workroom.core.actions import UiAction
from workroom.core.changes import ChangeKind
from workroom.core.map_actions import AddLayer, ClearMap, LayerSource
from workroom.db import DatabaseAddress

SEED = "Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer"
CLEAR = ClearMap().action()


def add(name: str) -> UiAction:
    return AddLayer(id=name, type="wmts", source=LayerSource(url=f"/{name}"), title=name.title()).action()


def hide(name: str, *, visible: bool = False) -> dict[str, Any]:
    return {"type": "showLayer", "payload": {"id": name, "visible": visible}}


def fade(name: str, opacity: float) -> dict[str, Any]:
    return {"type": "fadeLayer", "payload": {"id": name, "opacity": opacity}}


def remove(name: str) -> dict[str, Any]:
    return {"type": "removeLayer", "payload": {"id": name}}


def order(*names: str) -> dict[str, Any]:
    return {"type": "sortLayers", "payload": {"ids": list(names)}}


def pin(name: str, *, visible: bool = False) -> dict[str, Any]:
    return {"type": "showMarker", "payload": {"id": name, "visible": visible}}


CLOSE: dict[str, Any] = {"type": "closeExtract", "payload": {}}


@pytest.fixture
async def chart(world: World) -> Chart:
    return await begun(world)


@pytest.mark.requirement("E8")
async def test_what_is_done_by_hand_is_kept_and_agents_know_of_it(chart: Chart) -> None:
    answer = await chart.answer(add("water"), add("forest"), add("noise"))
    assert [one["id"] for one in await chart.shown()] == ["water", "forest", "noise"]
    for edit in (remove("forest"), hide("water"), fade("noise", 0.5), order("noise", "water"), CLOSE):
        told = await chart.edit(answer, edit)
        assert told.status_code == 200, told.text
    assert told.json()["mayEdit"] is True
    last = told.json()["edits"][-1]
    assert (last["edit"], last["afterMessageId"], last["madeBy"]) == (
        CLOSE,
        str(answer),
        str(chart.world["bob"].user.id),
    )
    assert await chart.kept() == [remove("forest"), hide("water"), fade("noise", 0.5), order("noise", "water"), CLOSE]
    assert await chart.shown() == [
        {"id": "noise", "label": "Noise"},
        {"id": "water", "label": "Water", "visible": False},
    ]
    assert await chart.shown(query="forest") == []
    [found] = await chart.shown(query="water")
    assert found["visible"] is False


@pytest.mark.requirement("E8")
async def test_what_is_ordered_later_counts_more(chart: Chart) -> None:
    first = await chart.answer(add("water"), add("forest"))
    await chart.edit(first, remove("water"))
    await chart.edit(first, hide("forest"))
    second = await chart.answer(add("water"), add("forest"), after=first)
    assert await chart.shown() == [{"id": "forest", "label": "Forest"}, {"id": "water", "label": "Water"}]
    await chart.edit(first, fade("water", 0.1))  # somebody who has not seen the second answer yet
    await chart.edit(second, hide("water"))
    assert [one.get("visible", True) for one in await chart.shown()] == [True, False]
    await chart.answer(CLEAR, after=second)
    assert await chart.shown() == []


@pytest.mark.requirement("E8")
async def test_what_was_done_on_another_branch_does_not_count(chart: Chart) -> None:
    shared = await chart.answer(add("water"), add("forest"))
    await chart.edit(shared, hide("forest"))
    left = await chart.answer(add("noise"), after=shared)
    await chart.edit(left, remove("water"))
    right = await chart.answer(add("noise"), after=shared)
    both = [{"id": "forest", "label": "Forest", "visible": False}, {"id": "noise", "label": "Noise"}]
    assert await chart.shown() == [{"id": "water", "label": "Water"}, *both], "the branch on the screen is the newest"
    show = chart.world.services.conversations.show_branch
    await show(chart.world["bob"].principal, chart.lab, chart.id, left)
    assert await chart.shown() == both
    assert len(await chart.shown(on=shared)) == 3, "whoever answers on the other branch is told of that one"
    await show(chart.world["bob"].principal, chart.lab, chart.id, right)
    assert await chart.shown(on=left) == both
    assert len(await chart.shown()) == 3


async def test_the_same_thing_done_again_takes_the_place_of_what_was_done_before(chart: Chart) -> None:
    answer = await chart.answer(add("water"), add("forest"))
    for opacity in (0.9, 0.5, 0.2):
        await chart.edit(answer, fade("water", opacity))
    await chart.edit(answer, fade("forest", 1))
    await chart.edit(answer, fade("water", 0))
    assert await chart.kept() == [fade("forest", 1), fade("water", 0)], "and is the newest"
    await chart.edit(chart.asked, fade("water", 0.3))
    assert len(await chart.kept()) == 3, "after another message it is another thing"


@pytest.mark.requirement("N2")
async def test_who_may_not_read_the_conversation_finds_no_map(chart: Chart) -> None:
    answer = await chart.answer(add("water"))
    for who, slug in (("olaf", "lab"), ("rita", "lab"), ("zoe", "lab"), ("zoe", "den"), ("bob", "den")):
        path = chart.path(slug)
        assert (await chart.world.call(who, "GET", path)).status_code == 404, (who, slug)
        assert (await chart.edit(answer, hide("water"), who, slug)).status_code == 404, (who, slug)
    assert await chart.kept() == []


@pytest.mark.requirement("N2")
async def test_who_may_read_and_not_write_sees_it_and_changes_nothing(chart: Chart) -> None:
    await shared(chart.world, chart.id, "rita", write=False)
    answer = await chart.answer(add("water"))
    await chart.edit(answer, hide("water"))
    seen = (await chart.world.call("rita", "GET", chart.path())).json()
    assert ([one["edit"] for one in seen["edits"]], seen["mayEdit"]) == ([hide("water")], False)
    refused = await chart.edit(answer, remove("water"), "rita")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert await chart.kept() == [hide("water")]


async def test_a_message_of_another_conversation_is_none(chart: Chart) -> None:
    elsewhere = await ask(chart.world, "something else")
    for message_id in (some_id(), UUID(elsewhere["messageId"])):
        told = await chart.edit(message_id, hide("water"))
        assert (told.status_code, told.json()["code"]) == (404, "notFound")
    assert await chart.kept() == []


@pytest.mark.requirement("E8")
async def test_a_marker_goes_and_comes_back_and_is_no_layer(chart: Chart) -> None:
    answer = await chart.answer(add("water"))
    for edit in (pin("addr-1"), pin("addr-2"), pin("water"), pin("addr-1", visible=True)):
        assert (await chart.edit(answer, edit)).status_code == 200
    assert await chart.kept() == [pin("addr-2"), pin("water"), pin("addr-1", visible=True)]
    assert [one["id"] for one in await chart.shown()] == ["water"]


@pytest.mark.parametrize(
    "edit",
    [
        {"type": "paintLayer", "payload": {"id": "water"}},
        {"type": "addLayer", "payload": {"id": "water", "type": "wmts", "source": {"url": "https://evil.example"}}},
        {"type": "clearMap", "payload": {}},
        {"type": "showLayer", "payload": {"id": "water"}},
        {"type": "showLayer", "payload": {"id": "water", "visible": "no"}},
        {"type": "showLayer", "payload": {"id": "", "visible": True}},
        {"type": "showLayer", "payload": {"id": "x" * 201, "visible": True}},
        {"type": "showLayer", "payload": {"id": "wa\x00ter", "visible": True}},
        {"type": "showLayer", "payload": {"id": 7, "visible": True}},
        {"type": "showLayer", "payload": {"id": "water", "visible": True, "title": "<b>"}},
        fade("water", 1.01),
        fade("water", -0.1),
        {"type": "fadeLayer", "payload": {"id": "water", "opacity": "0.5"}},
        {"type": "fadeLayer", "payload": {"id": "water", "opacity": None}},
        order(*(f"l{number}" for number in range(201))),
        {"type": "sortLayers", "payload": {"ids": "water"}},
        {"type": "sortLayers", "payload": {"ids": [["water"]]}},
        {"type": "removeLayer", "payload": {}},
        {"type": "showMarker", "payload": {"id": "addr-1"}},
        {"type": "addMarker", "payload": {"id": "addr-1", "coord": [0, 0], "label": "x"}},
        {"type": "closeExtract", "payload": {"id": "water"}},
        {"payload": {}},
        None,
    ],
    ids=str,
)
async def test_what_is_no_edit_is_refused(shared_world: World, edit: Any) -> None:
    accepted = await ask(shared_world, "show me")
    chart = Chart(shared_world, UUID(accepted["workflowId"]), UUID(accepted["messageId"]))
    told = await chart.edit(chart.asked, edit)
    assert (told.status_code, told.json()["code"]) == (422, "invalidInput")
    assert await chart.kept() == []


@pytest.mark.parametrize("payload", [r'{"id": "\ud800", "opacity": 1}', '{"id": "water", "opacity": NaN}'])
async def test_what_a_database_would_not_take_is_refused_before(chart: Chart, payload: str) -> None:
    body = f'{{"afterMessageId": "{chart.asked}", "edit": {{"type": "fadeLayer", "payload": {payload}}}}}'
    async with chart.world.client("bob", {"content-type": "application/json"}) as client:
        told = await client.post(chart.path(), content=body)
    assert (told.status_code, told.json()["code"]) == (422, "invalidInput")


async def test_a_map_keeps_so_many_and_says_so(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_store, "MOST", 3)
    for name in ("a", "b", "c"):
        assert (await chart.edit(chart.asked, hide(name))).status_code == 200
    told = await chart.edit(chart.asked, hide("d"))
    assert (told.status_code, told.json()["code"]) == (409, "mapFull")
    assert "Begin another conversation" in told.json()["message"]
    assert (await chart.edit(chart.asked, hide("a", visible=True))).status_code == 200, "what is there can be changed"
    assert await chart.kept() == [hide("b"), hide("c"), hide("a", visible=True)]


async def test_two_people_at_once_lose_nothing(chart: Chart) -> None:
    names = [f"layer-{number}" for number in range(8)]
    told = await asyncio.gather(
        *(chart.edit(chart.asked, hide(name), who) for name in names for who in ("bob", "alice")),
        *(chart.edit(chart.asked, fade("same", number / 10), "alice") for number in range(8)),
    )
    assert {one.status_code for one in told} == {200}
    kept = await chart.kept()
    assert sorted(one["payload"]["id"] for one in kept) == [*names, "same"]
    assert kept == await chart.kept("alice")


@pytest.mark.requirement("N1")
async def test_open_pages_of_those_who_may_read_it_hear_of_it(chart: Chart) -> None:
    world = chart.world
    with world.services.changes.subscribe() as inbox:
        await chart.edit(chart.asked, hide("water"))
        async with asyncio.timeout(60):
            while not (heard := [c for c in await inbox.take(5) if c.kind is ChangeKind.MAP]):
                pass
    [change] = heard
    assert change.id == chart.id
    hears = {name: _may_see(world[name].principal, change) for name in ("alice", "bob", "rita", "olaf")}
    assert hears == {"alice": True, "bob": True, "rita": False, "olaf": False}


async def test_it_goes_with_the_conversation_and_stays_without_the_person(chart: Chart) -> None:
    world = chart.world
    await chart.edit(chart.asked, hide("water"), "alice")
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.execute("delete from users where user_id = $1", world["alice"].user.id)
    found = (await world.call("bob", "GET", chart.path())).json()["edits"]
    assert [(one["edit"], one["madeBy"]) for one in found] == [(hide("water"), None)]
    await world.services.conversations.delete(world["bob"].principal, chart.lab, chart.id)
    await world.services.conversations.purge(world["bob"].principal, chart.lab, chart.id)
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        assert await uow.fetchval("select count(*) from map_edits") == 0


@pytest.mark.requirement("E1", "E8")
async def test_a_plan_is_made_with_the_map_as_it_is(world: World, address: DatabaseAddress) -> None:
    """With the rules alone: what somebody has taken away by hand is not there to be removed."""
    async with worker(world, address, None):
        begun = await ask(world, SEED, agentId=str(NAVIGATOR_ID))
        await finished(world, begun["runId"])
        chart = Chart(world, UUID(begun["workflowId"]), UUID(begun["messageId"]))
        thread = f"/api/workspace/{chart.lab}/conversations/{chart.id}"
        messages = (await world.call("bob", "GET", thread)).json()["messages"]
        assert (await chart.edit(UUID(messages[-1]["id"]), remove("ch.so.gws"))).status_code == 200
        again = await ask(world, "Entferne den Gewässerschutzlayer", workflowId=begun["workflowId"])
        said = await finished(world, again["runId"])
    assert [(one["status"]) for one in said if one["type"] == "planStep"] == ["needs_clarification"]
    assert [one for one in said if one["type"] == "action"] == []
