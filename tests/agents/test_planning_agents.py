"""Agents that plan: their intents are data, checked when they are made, and travel with them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agents.making import agents_path, made
from tests.world import World
from workroom.agents.shipped import NAVIGATOR_ID

NOTE = {
    "name": "take_note",
    "description": "Write something down.",
    "tools": ["writeNote"],
    "ways": [
        {
            "phrases": {"en": ["note {title}"]},
            "calls": [{"tool": "writeNote", "arguments": {"title": "{title}", "text": "{title}"}}],
        }
    ],
}


@pytest.mark.requirement("E1")
async def test_intents_are_kept_changed_copied_and_exported(world: World) -> None:
    agent = await made(world, strategy="plan", intents=[NOTE])
    path = f"{agents_path(world)}/{agent['id']}"
    read = (await world.call("bob", "GET", path)).json()
    assert (read["strategy"], read["intents"][0]["ways"]) == ("plan", NOTE["ways"])
    exported = (await world.call("bob", "GET", f"{path}/export")).json()
    assert exported["agent"]["intents"][0]["name"] == "take_note"
    exported["agent"]["intents"][0]["tools"] = ["flyAway"]
    imported = (await world.call("bob", "POST", f"{agents_path(world)}/import?onConflict=keepBoth", exported)).json()
    assert {"field": "intents", "value": "take_note"}.items() <= imported["warnings"][0].items()
    changed = await world.call("bob", "PATCH", path, {"version": 1, "description": "Notes."})
    assert changed.json()["intents"] == read["intents"]
    changed = await world.call("bob", "PATCH", path, {"version": 2, "strategy": "react", "intents": []})
    assert (changed.json()["strategy"], changed.json()["intents"]) == ("react", [])


@pytest.mark.parametrize(
    "intents",
    [
        [NOTE, NOTE],
        [{**NOTE, "name": "With Spaces"}],
        [{**NOTE, "ways": [{"phrases": {"en": ["note ({title}"]}, "calls": []}]}],
        [{**NOTE, "ways": [{"phrases": {"en": ["{title}"]}, "calls": []}]}],
        [{**NOTE, "ways": [{"phrases": {"xx": ["note"]}, "calls": []}]}],
        [{**NOTE, "tools": ["x" * 101]}],
        [{**NOTE, "name": f"n{number}"} for number in range(41)],
    ],
)
async def test_intents_that_make_no_sense_are_refused(world: World, intents: list[dict[str, Any]]) -> None:
    body = {"name": "Planner", "instructions": {"en": "Plan."}, "strategy": "plan", "intents": intents}
    refused = await world.call("bob", "POST", agents_path(world), body)
    assert refused.status_code == 422, refused.text


async def test_lists_of_agents_are_without_phrases(world: World) -> None:
    items = (await world.call("bob", "GET", agents_path(world))).json()["items"]
    navigator = next(item for item in items if item["id"] == str(NAVIGATOR_ID))
    assert {intent["name"] for intent in navigator["intents"]} >= {"goto_address", "oereb_extract", "question"}
    assert all(intent["ways"] == [] for intent in navigator["intents"])
    whole = (await world.call("bob", "GET", f"{agents_path(world)}/{NAVIGATOR_ID}")).json()
    assert any(intent["ways"] for intent in whole["intents"])
