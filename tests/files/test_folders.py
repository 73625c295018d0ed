"""Folders: a tree without circles, rules that file by themselves, a trash that brings everything back."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.files.sending import lab, make, names
from tests.world import World, some_id
from workroom.core.errors import Conflict, InvalidInput, WorkroomError
from workroom.files.types import FileChange, Folder, FolderChange, OnConflict
from workroom.identity.sharing import Visibility


async def folder(world: World, person: str, name: str, parent: UUID | None = None, rule: str | None = None) -> Folder:
    principal, instance = world[person].principal, world.instances["lab"].id
    return await world.services.folders.create(principal, instance, name, parent, rule, Visibility.GROUP)


async def tree(world: World, person: str, query: str = "") -> list[str]:
    return [item["name"] for item in (await world.call(person, "GET", lab(world, "folders") + query)).json()["items"]]


@pytest.mark.requirement("J1")
async def test_made_renamed_moved(world: World) -> None:
    made = await world.call("bob", "POST", lab(world, "folders"), {"name": "Verträge 2026", "visibility": "GROUP"})
    assert made.status_code == 201
    inner = await world.call("bob", "POST", lab(world, "folders"), {"name": "Alt", "parentId": made.json()["id"]})
    path = f"/api/folders/{inner.json()['id']}"
    assert (await world.call("bob", "PATCH", path, {"name": "Archiv"})).json()["parentId"] == made.json()["id"]
    moved = (await world.call("bob", "PATCH", path, {"parentId": None})).json()
    assert (moved["name"], moved["parentId"]) == ("Archiv", None)
    assert await tree(world, "rita") == ["Archiv", "Verträge 2026"]
    assert (await world.call("rita", "PATCH", path, {"name": "x"})).status_code == 403
    assert (await world.call("olaf", "GET", path)).status_code == 404


async def test_two_of_one_name_in_one_place(world: World) -> None:
    await folder(world, "bob", "A")
    with pytest.raises(Conflict) as taken:
        await folder(world, "alice", "A")
    assert taken.value.code == "nameTaken"
    outer = await folder(world, "bob", "B")
    assert (await folder(world, "bob", "A", outer.id)).parent_id == outer.id


async def test_no_circles(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    a = await folder(world, "bob", "a")
    b = await folder(world, "bob", "b", a.id)
    c = await folder(world, "bob", "c", b.id)
    for target in (a, b, c):
        with pytest.raises(InvalidInput):
            await services.folders.change(bob, a.id, FolderChange(move=True, parent_id=target.id))


async def test_no_circles_by_two_at_once(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    for number in range(5):
        a, b = await folder(world, "bob", f"a{number}"), await folder(world, "bob", f"b{number}")
        results = await asyncio.gather(
            services.folders.change(bob, a.id, FolderChange(move=True, parent_id=b.id)),
            services.folders.change(bob, b.id, FolderChange(move=True, parent_id=a.id)),
            return_exceptions=True,
        )
        assert sum(isinstance(result, WorkroomError) for result in results) == 1, results


async def test_at_most_twenty_deep(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    chain = [await folder(world, "bob", "1")]
    for number in range(2, 21):
        chain.append(await folder(world, "bob", str(number), chain[-1].id))
    with pytest.raises(InvalidInput):
        await folder(world, "bob", "21", chain[-1].id)
    outer = await folder(world, "bob", "outer")
    with pytest.raises(InvalidInput):
        await services.folders.change(bob, chain[0].id, FolderChange(move=True, parent_id=outer.id))
    await services.folders.change(bob, chain[1].id, FolderChange(move=True, parent_id=outer.id))


@pytest.mark.parametrize("body", [{"name": ""}, {"name": "a/b"}, {"name": "a", "parentId": str(some_id())}])
async def test_what_is_no_folder(shared_world: World, body: dict[str, Any]) -> None:
    assert (await shared_world.call("bob", "POST", lab(shared_world, "folders"), body)).status_code == 422


async def test_a_folder_of_another_workspace_is_no_place(world: World) -> None:
    alice = world["alice"].principal
    other = await world.services.instances.create(alice, "Other")
    there = await world.services.folders.create(alice, other.id, "There")
    with pytest.raises(InvalidInput):
        await folder(world, "alice", "x", there.id)
    with pytest.raises(InvalidInput):
        await make(world, "alice", "x.txt", folder_id=there.id)
    file = await make(world, "alice", "y.txt")
    with pytest.raises(InvalidInput):
        await world.services.files.change(alice, file.id, FileChange(move=True, folder_id=there.id))


class TestRules:
    @pytest.mark.requirement("J1")
    async def test_what_fits_is_filed_and_says_why(self, world: World) -> None:
        money = await folder(world, "bob", "Money", rule="tag:Financial")
        pdfs = await folder(world, "bob", "PDFs", rule="type:pdf")
        assert money.auto_rule == "tag:Financial"
        stored = await make(world, "bob", "a.pdf")
        assert (stored.folder_id, stored.filed_by) == (pdfs.id, "type:pdf")
        tagged = (await world.call("bob", "PATCH", f"/api/files/{stored.id}", {"tags": ["financial"]})).json()
        assert (tagged["folderId"], tagged["filedBy"]) == (str(money.id), "tag:Financial"), "the older rule comes first"
        plain = await make(world, "bob", "notes.txt")
        assert (plain.folder_id, plain.filed_by) == (None, None)
        renamed = (await world.call("bob", "PATCH", f"/api/files/{plain.id}", {"name": "notes.pdf"})).json()
        assert renamed["folderId"] == str(pdfs.id)

    async def test_what_somebody_put_somewhere_stays_there(self, world: World) -> None:
        await folder(world, "bob", "Money", rule="tag:financial")
        mine = await folder(world, "bob", "Mine")
        placed = await make(world, "bob", "a.txt", folder_id=mine.id, tags=("financial",))
        assert (placed.folder_id, placed.filed_by) == (mine.id, None)
        changed = (await world.call("bob", "PATCH", f"/api/files/{placed.id}", {"tags": ["financial", "x"]})).json()
        assert changed["folderId"] == str(mine.id)

    async def test_moved_by_hand_it_is_not_by_rule_any_more(self, world: World) -> None:
        await folder(world, "bob", "PDFs", rule="type:pdf")
        mine = await folder(world, "bob", "Mine")
        file = await make(world, "bob", "a.pdf")
        moved = (await world.call("bob", "PATCH", f"/api/files/{file.id}", {"folderId": str(mine.id)})).json()
        assert (moved["folderId"], moved["filedBy"]) == (str(mine.id), None)

    async def test_uploaded_again_it_meets_its_older_self(self, world: World) -> None:
        await folder(world, "bob", "Money", rule="tag:financial")
        file = await make(world, "bob", "a.txt", b"one", tags=("financial",))
        again = await make(world, "bob", "a.txt", b"two")
        assert (again.id, again.version, again.folder_id) == (file.id, 2, file.folder_id)

    async def test_a_name_taken_there_keeps_it_where_it_is(self, world: World) -> None:
        money = await folder(world, "bob", "Money", rule="tag:financial")
        await make(world, "bob", "a.txt", b"one", folder_id=money.id)
        other = await make(world, "bob", "a.txt", b"two", on_conflict=OnConflict.RENAME)
        tagged = await world.call("bob", "PATCH", f"/api/files/{other.id}", {"tags": ["financial"]})
        assert (tagged.status_code, tagged.json()["folderId"]) == (200, None)

    async def test_a_colleagues_rule_files_but_does_not_share(self, world: World) -> None:
        pdfs = await folder(world, "alice", "PDFs", rule="type:pdf")
        file = await make(world, "bob", "a.pdf")
        assert file.folder_id == pdfs.id
        assert await names(world, "rita", f"?folderId={pdfs.id}") == []

    async def test_a_rule_can_be_taken_away(self, world: World) -> None:
        pdfs = await folder(world, "bob", "PDFs", rule="type:pdf")
        path = f"/api/folders/{pdfs.id}"
        assert (await world.call("bob", "PATCH", path, {"name": "Papers"})).json()["autoRule"] == "type:pdf"
        assert (await world.call("bob", "PATCH", path, {"autoRule": "nonsense"})).status_code == 422
        assert (await world.call("bob", "PATCH", path, {"autoRule": None})).json()["autoRule"] is None
        assert (await make(world, "bob", "a.pdf")).folder_id is None


class TestTrash:
    async def test_with_everything_in_it_and_back(self, world: World) -> None:
        a = await folder(world, "bob", "a")
        b = await folder(world, "bob", "b", a.id)
        earlier = await make(world, "bob", "earlier.txt", folder_id=b.id)
        await world.services.files.delete(world["bob"].principal, earlier.id)
        inside = await make(world, "bob", "inside.txt", folder_id=b.id)
        assert (await world.call("bob", "DELETE", f"/api/folders/{a.id}")).status_code == 204
        assert await tree(world, "bob") == []
        assert await names(world, "bob") == []
        assert await tree(world, "bob", "?deleted=true") == ["a"]
        assert (await world.call("bob", "POST", f"/api/folders/{a.id}/restore")).json()["deletedAt"] is None
        assert await tree(world, "bob") == ["a", "b"]
        assert await names(world, "bob", f"?folderId={b.id}") == ["inside.txt"], (
            "what was thrown away before stays there"
        )
        assert (await world.services.files.get(world["bob"].principal, inside.id)).folder_id == b.id

    async def test_nobody_loses_a_file_by_it(self, world: World) -> None:
        outer = await folder(world, "bob", "outer")
        a = await folder(world, "bob", "a", outer.id)
        await make(world, "alice", "secret.txt", folder_id=a.id)
        await make(world, "alice", "secret.txt", b"other", folder_id=outer.id)
        await make(world, "alice", "shared.txt", folder_id=a.id, visibility=Visibility.GROUP)
        await make(world, "bob", "mine.txt", folder_id=a.id)
        await world.services.folders.delete(world["bob"].principal, a.id)
        moved = await names(world, "alice", f"?folderId={outer.id}")
        assert moved == ["secret (2).txt", "secret.txt", "shared.txt"]
        assert await names(world, "bob", "?deleted=true") == ["mine.txt"]

    async def test_a_folder_with_somebody_elses_in_it_is_not_ones_own_to_delete(self, world: World) -> None:
        a = await folder(world, "bob", "a")
        await folder(world, "alice", "hers", a.id)
        assert (await world.call("bob", "DELETE", f"/api/folders/{a.id}")).status_code == 403
        assert (await world.call("alice", "DELETE", f"/api/folders/{a.id}")).status_code == 204

    async def test_back_to_the_top_when_the_place_is_gone(self, world: World) -> None:
        services, bob = world.services, world["bob"].principal
        a = await folder(world, "bob", "a")
        b = await folder(world, "bob", "b", a.id)
        file = await make(world, "bob", "f.txt", folder_id=b.id)
        await services.folders.delete(bob, b.id)
        await services.folders.delete(bob, a.id)
        await folder(world, "bob", "b")
        assert (await services.files.restore(bob, file.id)).folder_id is None
        restored = await services.folders.restore(bob, b.id)
        assert (restored.parent_id, restored.name) == (None, "b (2)")
        assert (await services.folders.restore(bob, b.id)) == restored, "twice is as good as once"

    async def test_nothing_is_put_into_a_folder_in_the_trash(self, world: World) -> None:
        services, bob = world.services, world["bob"].principal
        a = await folder(world, "bob", "a", rule="type:pdf")
        await services.folders.delete(bob, a.id)
        assert (await make(world, "bob", "x.pdf")).folder_id is None
        with pytest.raises(InvalidInput):
            await make(world, "bob", "y.txt", folder_id=a.id)
        with pytest.raises(InvalidInput):
            await folder(world, "bob", "inner", a.id)
