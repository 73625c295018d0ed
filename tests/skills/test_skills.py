"""What skills show: every payload has a component, and the checklist is kept by the person and the agent alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

import workroom.skills
import workroom.studio_tools
import workroom.tools
from tests.tools.room import Room
from tests.world import World, some_id
from workroom.agent.registry import discover
from workroom.agent.tool import Tool
from workroom.core.errors import Forbidden, InvalidInput
from workroom.core.pauses import Choice, Chosen
from workroom.core.results import ToolResult
from workroom.core.widgets import Widget, widgets_in
from workroom.skills.confirm import NO, YES, skill_confirm
from workroom.skills.roadmap import skill_roadmap
from workroom.skills.suggestions import skill_suggestions
from workroom.skills.todos import skill_todos
from workroom.todos.types import TodoChange

COMPONENTS = Path(__file__).parents[2] / "web" / "src" / "lib" / "widgets"
SKILLS = list(discover(workroom.skills))
WIDGETS = [*widgets_in(workroom.skills), *widgets_in(workroom.studio_tools), *widgets_in(workroom.tools)]


@pytest.fixture
async def room(world: World) -> Room:
    begun = Room(world)
    await begun.begin_conversation()
    return begun


def payload(result: ToolResult) -> dict[str, Any]:
    [action] = result.actions
    return action.payload


@pytest.mark.requirement("B7")
@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)
def test_every_widget_has_a_component_of_its_name(widget: type[Widget]) -> None:
    assert (COMPONENTS / f"{widget.__name__}.svelte").is_file()


def test_every_component_has_a_widget() -> None:
    assert {path.stem for path in COMPONENTS.glob("*.svelte")} == {widget.__name__ for widget in WIDGETS}


@pytest.mark.requirement("B7")
@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)
def test_a_skill_is_named_and_chosen_as_such(skill: Tool) -> None:
    assert skill.name.startswith("skill_") or "core" in skill.sets, "what every agent has is a tool like others"
    assert skill.sets & {"skills", "core"}


@pytest.mark.requirement("B7")
async def test_a_roadmap_is_what_the_page_draws_and_little_for_the_model(room: Room) -> None:
    phases = [{"name": "Company", "status": "done"}, {"name": "Offer", "status": "active"}, {"name": "Goals"}]
    result = await room.call(skill_roadmap, title="Briefing", phases=phases)
    assert [action.type for action in result.actions] == ["roadmap"]
    states = [(phase["name"], phase["status"]) for phase in payload(result)["phases"]]
    assert states == [("Company", "done"), ("Offer", "active"), ("Goals", "pending")]
    assert result.text() == "The user sees the roadmap: 1 of 3 phases are done."


@pytest.mark.parametrize("phases", [[], [{"name": ""}], [{"name": "x", "status": "late"}], [{"name": "x"}] * 13])
async def test_a_roadmap_that_cannot_be_drawn_is_refused(room: Room, phases: list[Any]) -> None:
    with pytest.raises(ValidationError):
        await room.call(skill_roadmap, phases=phases)


@pytest.mark.requirement("B7")
async def test_the_same_reply_is_suggested_once(room: Room) -> None:
    result = await room.call(skill_suggestions, suggestions=["Yes", " Yes ", "Not\nyet", "  "])
    assert payload(result) == {"suggestions": ["Yes", "Not yet"]}


@pytest.mark.requirement("B6")
async def test_a_command_is_no_reply_to_click(room: Room) -> None:
    """S21: what a user sends as a command is carried out without a question."""
    mixed = ["/writeNote x", "Yes", "\u200b/skill_url_crawler https://e.example"]
    assert payload(await room.call(skill_suggestions, suggestions=mixed)) == {"suggestions": ["Yes"]}
    with pytest.raises(InvalidInput):
        await room.call(skill_suggestions, suggestions=["/help"])


@pytest.mark.requirement("B7")
async def test_a_checklist_is_todos_of_the_workspace_that_both_tick_off(room: Room) -> None:
    first = payload(await room.call(skill_todos, title="We need", items=[{"title": "Logo"}, {"title": "Prices"}]))
    logo, prices = (UUID(todo["id"]) for todo in first["todos"])
    todos, place = room.world.services.todos, (room.principal, room.instance_id)
    await todos.change(*place, logo, TodoChange(done=True))  # by the person

    wanted = [{"title": " PRICES ", "done": True}, {"title": "Photos"}, {"title": "Logo"}, {"title": "photos"}]
    result = await room.call(skill_todos, items=wanted)
    listed = [(todo["title"], todo["done"]) for todo in payload(result)["todos"]]
    assert listed == [("Prices", True), ("Photos", False), ("Logo", True)], "what a person ticked off stays so"
    assert [UUID(todo["id"]) for todo in payload(result)["todos"]][::2] == [prices, logo], "none was made twice"
    assert (await todos.get(*place, prices)).conversation_id == room.conversation_id
    assert result.text() == "The user sees the checklist. Still open: Photos."


async def test_a_checklist_brings_nothing_back_and_takes_nothing_of_other_conversations(room: Room) -> None:
    todos, place = room.world.services.todos, (room.principal, room.instance_id)
    [elsewhere] = await todos.add(*place, ["Logo"])
    [first] = payload(await room.call(skill_todos, items=[{"title": "Logo"}]))["todos"]
    assert first["id"] != str(elsewhere.id)
    await todos.remove(*place, UUID(first["id"]))
    again = payload(await room.call(skill_todos, items=[{"title": "Logo", "done": True}, {"title": "Prices"}]))
    assert [todo["title"] for todo in again["todos"]] == ["Prices"], "a person has removed the other"
    assert not (await todos.get(*place, elsewhere.id)).done


async def test_what_another_person_listed_is_left_to_them(room: Room) -> None:
    of_alice = room.as_("alice")
    of_alice.conversation_id = room.conversation_id
    [logo] = payload(await of_alice.call(skill_todos, items=[{"title": "Logo"}]))["todos"]
    listed = payload(await room.call(skill_todos, items=[{"title": "Logo", "done": True}, {"title": "Prices"}]))
    assert [(todo["title"], todo["done"]) for todo in listed["todos"]] == [("Logo", False), ("Prices", False)]
    assert listed["todos"][0]["id"] == logo["id"]


async def test_who_may_not_write_todos_gets_no_checklist(room: Room) -> None:
    reader = room.as_("rita")
    reader.conversation_id = room.conversation_id
    with pytest.raises(Forbidden):
        await reader.call(skill_todos, items=[{"title": "Logo"}])


async def test_others_are_told_what_a_misled_agent_would_put_before_them(room: Room) -> None:
    assert skill_todos.confirm_untrusted is not None
    arguments = skill_todos.read_arguments({"items": [{"title": "Send the password"}]})
    asked = await skill_todos.confirm_untrusted(room, **arguments)
    assert asked is not None
    assert asked.name == "Send the password"


@pytest.mark.requirement("B7", "A15")
@pytest.mark.parametrize(("choice", "confirmed"), [(YES, True), (NO, False)])
async def test_a_confirmation_is_a_box_with_two_answers(room: Room, choice: str, confirmed: bool) -> None:
    pause = await room.call(skill_confirm, text="Is the briefing complete?", confirmLabel="It is")
    assert isinstance(pause, Choice)
    assert pause.box
    assert [(option.id, option.label) for option in pause.options] == [(YES, "It is"), (NO, "Noch nicht")]
    assert skill_confirm.answered is not None
    result = await skill_confirm.answered(room, pause, Chosen(choice_id=choice))
    assert result.data == {"confirmed": confirmed}


async def test_todos_are_listed_by_their_ids(world: World) -> None:
    lab, bob = world.instances["lab"].id, world["bob"].principal
    one, _, three = await world.services.todos.add(bob, lab, ["One", "Two", "Three"])
    path = f"/api/workspace/{lab}/todos"
    found = await world.call("bob", "GET", f"{path}?ids={one.id}&ids={three.id}&ids={some_id()}")
    assert [todo["title"] for todo in found.json()["items"]] == ["One", "Three"]
    assert (await world.call("zoe", "GET", f"{path}?ids={one.id}")).status_code == 404
