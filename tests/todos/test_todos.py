"""Todos by tool and over HTTP: one store, one order, and a trash behind it."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.world import World
from workroom.agent.testing import call, say
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.db.trash import empty_trash
from workroom.todos import store
from workroom.todos.types import TodoChange
from workroom.tools.todos import add_todos, list_todos, remove_todo, update_todo


def path(world: World, *more: object) -> str:
    return "/".join([f"/api/workspace/{world.instances['lab'].id}/todos", *map(str, more)])


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


async def listed(room: Room, field: str = "id", **wanted: bool) -> list[str]:
    return [todo[field] for todo in (await room.call(list_todos, **wanted)).items]


async def test_a_list_is_worked_off(room: Room) -> None:
    milk, bread = await room.call(add_todos, titles=["Milk", "Bread"])
    (eggs,) = await room.call(add_todos, titles=["Eggs"], due="2030-01-31")
    assert await listed(room) == [str(todo.id) for todo in (milk, bread, eggs)]
    assert eggs.due == date(2030, 1, 31)
    done = await room.call(update_todo, todoId=str(bread.id), done=True, title="Rye bread")
    assert (done.done, done.title) == (True, "Rye bread")
    assert await listed(room, "title", done=False) == ["Milk", "Eggs"]
    assert await listed(room, "title", done=True) == ["Rye bread"]
    assert (await room.call(update_todo, todoId=bread.id, done=False)).title == "Rye bread", "the rest stays"


async def test_what_is_removed_can_be_restored(room: Room) -> None:
    (milk,) = await room.call(add_todos, titles=["Milk"])
    assert await room.call(remove_todo, todoId=milk.id) == "The todo “Milk” is removed."
    assert await listed(room) == []
    with pytest.raises(NotFound):
        await room.call(update_todo, todoId=milk.id, done=True)
    trash = await room.world.call("bob", "GET", path(room.world) + "?deleted=true")
    assert [item["title"] for item in trash.json()["items"]] == ["Milk"]
    assert (await room.world.call("bob", "POST", path(room.world, milk.id, "restore"))).json()["deletedAt"] is None
    assert await listed(room) == [str(milk.id)]


async def test_colleagues_see_and_only_the_maker_changes(room: Room) -> None:
    (milk,) = await room.call(add_todos, titles=["Milk"])
    rita = room.as_("rita")
    assert await listed(rita) == [str(milk.id)]
    with pytest.raises(Forbidden):
        await rita.call(update_todo, todoId=milk.id, done=True)
    with pytest.raises(Forbidden):
        await rita.call(remove_todo, todoId=milk.id)
    with pytest.raises(Forbidden):
        await rita.call(add_todos, titles=["Mine"])
    with pytest.raises(NotFound):
        await room.as_("zoe", "den").call(update_todo, todoId=milk.id, done=True)


async def test_a_todo_goes_by_its_title_as_well(room: Room) -> None:
    milk, _ = await room.call(add_todos, titles=["Buy milk", "Bread"])
    assert (await room.call(update_todo, todoId="buy  MILK", done=True)).done
    assert not (await room.call(update_todo, todoId="milk", done=False)).done
    with pytest.raises(InvalidInput, match=str(milk.id)):
        await room.call(remove_todo, todoId="milk")
    assert await room.call(remove_todo, todoId="buy milk") == "The todo “Buy milk” is removed."
    assert await listed(room, "title") == ["Bread"]


async def test_of_several_todos_none_is_changed_and_each_is_named(room: Room) -> None:
    first, second, other = await room.call(add_todos, titles=["Milk", "Milk", "Oat milk"])
    await room.call(update_todo, todoId=second.id, done=True)
    with pytest.raises(InvalidInput) as caught:
        await room.call(update_todo, todoId="milk", done=True)
    assert f"2 todos have the title “milk”: {first.id}; {second.id}, done. Which one" in caught.value.message
    assert str(other.id) not in caught.value.message
    assert await listed(room, "title", done=True) == ["Milk"]


async def test_an_invented_todo_is_answered_with_the_open_ones(room: Room) -> None:
    todos = await room.call(add_todos, titles=[f"Errand {number}" for number in range(12)])
    await room.call(update_todo, todoId=todos[0].id, done=True)
    with pytest.raises(NotFound) as caught:
        await room.call(update_todo, todoId="your-todo-id", done=True)
    named = [todo.title for todo in todos if f"“{todo.title}” (todoId {todo.id})" in caught.value.message]
    assert named == [f"Errand {number}" for number in range(1, 11)]
    assert caught.value.message.endswith("listTodos shows all.")


async def test_what_the_user_is_asked_about_is_named_by_id(room: Room) -> None:
    """Until the answer comes, the same words may fit another todo."""
    (milk,) = await room.call(add_todos, titles=["Milk"])
    assert update_todo.confirm_untrusted is not None
    with pytest.raises(InvalidInput, match=f"give the id, {milk.id}"):
        await update_todo.confirm_untrusted(room, todoId="Milk", done=True)
    prompt = await update_todo.confirm_untrusted(room, todoId=str(milk.id), done=True)
    assert prompt is not None
    assert prompt.name == "Milk"


@pytest.mark.parametrize("titles", [[], [""], ["x" * 301], ["x"] * 51, "Milk", [1.5]])
def test_arguments_have_limits(titles: Any) -> None:
    with pytest.raises(ValidationError):
        add_todos.read_arguments({"titles": titles})


async def test_over_http(world: World) -> None:
    first = (await world.call("bob", "POST", path(world), {"title": "Milk", "due": "2030-01-31"})).json()
    second = (await world.call("alice", "POST", path(world), {"title": "Bread"})).json()
    assert (first["position"], second["position"], first["due"]) == (0, 1, "2030-01-31")
    listed = (await world.call("rita", "GET", path(world))).json()
    assert [item["title"] for item in listed["items"]] == ["Milk", "Bread"]
    by_date = (await world.call("rita", "GET", path(world) + "?sort=due&order=desc")).json()
    assert [item["title"] for item in by_date["items"]] == ["Bread", "Milk"]
    moved = await world.call("bob", "PATCH", path(world, first["id"]), {"position": 5, "done": True})
    assert (moved.json()["position"], moved.json()["done"], moved.json()["due"]) == (5, True, "2030-01-31")
    assert [t["title"] for t in (await world.call("bob", "GET", path(world))).json()["items"]] == ["Bread", "Milk"]
    assert [t["title"] for t in (await world.call("bob", "GET", path(world) + "?done=false")).json()["items"]] == [
        "Bread"
    ]
    assert (await world.call("bob", "PATCH", path(world, first["id"]), {"due": None})).json()["due"] is None
    assert (await world.call("bob", "PATCH", path(world, first["id"]), {"position": -1})).status_code == 422
    assert (await world.call("bob", "DELETE", path(world, first["id"]))).status_code == 204
    assert (await world.call("bob", "GET", path(world, first["id"]))).status_code == 404


async def test_a_todo_outlives_the_conversation_it_was_made_in(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("plan")
    await bench.advance(accepted, [call("addTodos", titles=["Milk"])], say("done"))
    services, bob, lab = world.services, bench.principal, bench.lab
    (todo,) = (await services.todos.list(bob, lab, PageRequest())).items
    assert (todo.title, todo.conversation_id) == ("Milk", accepted.conversation_id)
    await services.conversations.delete(bob, lab, accepted.conversation_id)
    await services.conversations.purge(bob, lab, accepted.conversation_id)
    assert (await services.todos.get(bob, lab, todo.id)).conversation_id is None


async def test_positions_are_checked_below_the_api_too(world: World) -> None:
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    (todo,) = await services.todos.add(bob, lab, ["Milk"])
    with pytest.raises(InvalidInput):
        await services.todos.change(bob, lab, todo.id, TodoChange(position=-1))


async def test_open_pages_hear_of_changes_in_their_workspace(world: World) -> None:
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    with services.changes.subscribe() as inbox:
        (todo,) = await services.todos.add(bob, lab, ["Milk"])
        note = await services.notes.write(bob, lab, "Bread", "")
        heard: dict[ChangeKind, UUID] = {}
        async with asyncio.timeout(60):
            while len(heard) < 2:
                changes = await inbox.take(5)
                heard |= {c.kind: c.id for c in changes if c.instance_id == lab and c.kind in ("todo", "note")}
    assert heard == {ChangeKind.TODO: todo.id, ChangeKind.NOTE: note.id}


async def test_the_trash_is_emptied_after_thirty_days(world: World) -> None:
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    fresh, old = await services.todos.add(bob, lab, ["fresh", "old"])
    for todo, days in ((fresh, 29), (old, 31)):
        await services.todos.remove(bob, lab, todo.id)
        async with services.db.unit_of_work(bob.actor) as uow:
            gone = now() - timedelta(days=days)
            await uow.execute("update todos set deleted_at = $2 where todo_id = $1", todo.id, gone)
    assert await empty_trash(services.db, "todos", store.sweep) == 1
    assert (await services.todos.restore(bob, lab, fresh.id)).title == "fresh"
    with pytest.raises(NotFound):
        await services.todos.restore(bob, lab, old.id)
