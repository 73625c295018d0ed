"""Notes over HTTP and on the database: who sees them, versions, the trash and its end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.world import World
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.pages import PageRequest
from workroom.db.trash import KEPT, empty_trash
from workroom.notes import store


def path(world: World, *more: object, slug: str = "lab") -> str:
    return "/".join([f"/api/workspace/{world.instances[slug].id}/notes", *map(str, more)])


async def write(world: World, name: str = "bob", title: str = "Milk", text: str = "two litres") -> dict[str, Any]:
    answer = await world.call(name, "POST", path(world), {"title": title, "text": text})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_written_read_changed_listed(world: World) -> None:
    note = await write(world)
    await write(world, "alice", "Bread", "rye")
    assert (await world.call("rita", "GET", path(world, note["id"]))).json() == note
    changed = await world.call("bob", "PATCH", path(world, note["id"]), {"title": "Oat milk"})
    assert (changed.json()["title"], changed.json()["text"]) == ("Oat milk", "two litres")
    assert changed.json()["updatedAt"] > note["updatedAt"]
    listed = (await world.call("rita", "GET", path(world) + "?sort=title&order=desc&limit=1")).json()
    assert ([item["title"] for item in listed["items"]], listed["total"]) == (["Oat milk"], 2)
    assert listed["nextCursor"]
    found = (await world.call("bob", "GET", path(world) + "?q=RYE")).json()
    assert [item["title"] for item in found["items"]] == ["Bread"]


async def test_a_change_made_from_an_older_version_overwrites_nothing(world: World) -> None:
    note = await write(world)
    await world.call("bob", "PATCH", path(world, note["id"]), {"text": "none"})
    late = {"text": "three litres", "updatedAt": note["updatedAt"]}
    assert (await world.call("bob", "PATCH", path(world, note["id"]), late)).status_code == 409
    newest = (await world.call("bob", "GET", path(world, note["id"]))).json()
    assert newest["text"] == "none"
    current = {"text": "three litres", "updatedAt": newest["updatedAt"]}
    assert (await world.call("bob", "PATCH", path(world, note["id"]), current)).json()["text"] == "three litres"


async def test_what_is_deleted_can_be_restored(world: World) -> None:
    note = await write(world)
    assert (await world.call("bob", "DELETE", path(world, note["id"]))).status_code == 204
    assert (await world.call("bob", "GET", path(world, note["id"]))).status_code == 404
    assert (await world.call("bob", "DELETE", path(world, note["id"]))).status_code == 404
    assert (await world.call("bob", "GET", path(world))).json()["items"] == []
    trash = (await world.call("bob", "GET", path(world) + "?deleted=true")).json()["items"]
    assert [(item["id"], item["deletedAt"] is not None) for item in trash] == [(note["id"], True)]
    assert (await world.call("rita", "GET", path(world) + "?deleted=true")).json()["items"] == [], (
        "not rita's to restore"
    )
    restored = await world.call("bob", "POST", path(world, note["id"], "restore"))
    assert (restored.json()["deletedAt"], restored.json()["text"]) == (None, "two litres")
    assert (await world.call("rita", "GET", path(world, note["id"]))).status_code == 200


@pytest.mark.requirement("N1")
async def test_colleagues_read_and_only_the_writer_changes(world: World) -> None:
    note = await write(world, "alice")
    for method, more in (("PATCH", ()), ("DELETE", ()), ("POST", ("restore",))):
        answer = await world.call("bob", method, path(world, note["id"], *more), {} if method == "PATCH" else None)
        assert answer.status_code == 403, method
    assert (await world.call("rita", "POST", path(world), {"title": "x"})).status_code == 403


@pytest.mark.requirement("N2")
async def test_a_note_of_another_workspace_is_not_found_through_ones_own(world: World) -> None:
    note = await write(world)
    for name, slug in (("zoe", "den"), ("zoe", "lab"), ("bob", "den"), ("olaf", "lab")):
        for method in ("GET", "PATCH", "DELETE"):
            answer = await world.call(
                name, method, path(world, note["id"], slug=slug), {} if method == "PATCH" else None
            )
            assert answer.status_code == 404, (name, slug, method)


@pytest.mark.parametrize(
    "body", [{}, {"title": ""}, {"title": "x" * 121}, {"title": "a\x00b"}, {"title": "x", "text": "a\x00"}]
)
async def test_what_does_not_fit_is_refused(world: World, body: dict[str, str]) -> None:
    assert (await world.call("bob", "POST", path(world), body)).status_code == 422


async def test_the_trash_is_emptied_after_thirty_days(world: World) -> None:
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    ids = {}
    for title, days in (("kept", None), ("fresh", 29), ("old", 31)):
        ids[title] = (await services.notes.write(bob, lab, title, "")).id
        if days is not None:
            await services.notes.delete(bob, lab, ids[title])
            await _age(world, ids[title], timedelta(days=days))
    assert timedelta(days=30) == KEPT
    assert await empty_trash(services.db, "notes", store.sweep) == 1
    assert (await services.notes.get(bob, lab, ids["kept"])).title == "kept"
    assert (await services.notes.restore(bob, lab, ids["fresh"])).title == "fresh"
    with pytest.raises(NotFound):
        await services.notes.restore(bob, lab, ids["old"])
    listed = await services.notes.list(bob, lab, PageRequest())
    assert {note.title for note in listed.items} == {"kept", "fresh"}


async def _age(world: World, note_id: UUID, by: timedelta) -> None:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.execute("update notes set deleted_at = $2 where note_id = $1", note_id, now() - by)
