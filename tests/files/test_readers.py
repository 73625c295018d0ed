"""Who reads a file: the same answer from the function that decides and from the condition in SQL, for every owner, level, grant
and audience; and folders that follow the same levels."""

from __future__ import annotations

import itertools
from dataclasses import replace
from uuid import UUID

import pytest

from tests.files.sending import lab, make, names, pieces
from tests.world import World
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.files.access import may
from workroom.files.folders import Folders
from workroom.files.types import File, FileChange, FileFilter, Folder, FolderChange, NewFile
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Audience, Principal

OWNERS = ("alice", "bob")
GRANTS = ((), ("alice",), ("rita",), ("alice", "rita"), ("bob",), ("bob", "rita"))


async def every_kind(world: World) -> list[tuple[str, Visibility, tuple[str, ...], File]]:
    made = []
    for owner, visibility, grants in itertools.product(OWNERS, Visibility, GRANTS):
        if visibility is Visibility.ALL and owner != "alice":
            continue  # only level ALL promotes
        file = await make(world, owner, f"{owner} {visibility} {' '.join(grants)}.txt", visibility=visibility)
        wanted = FileChange(shared_with=tuple(world[name].user.id for name in grants))
        file = await world.services.files.change(world[owner].principal, file.id, wanted)
        made.append((owner, visibility, grants, file))
    return made


@pytest.mark.requirement("N2")
async def test_the_function_and_the_condition_say_the_same(world: World) -> None:
    lab_id, rita = world.instances["lab"].id, world["rita"].user.id
    bob = world["bob"].user.id
    audiences = [
        Audience(),
        Audience(lab_id, frozenset({rita})),
        Audience(lab_id, frozenset({bob})),
        Audience(lab_id, frozenset({rita, bob})),
        Audience(lab_id, workspace=True),
        Audience(lab_id, frozenset({rita}), workspace=True),
    ]
    made = await every_kind(world)
    for name, audience in itertools.product(("alice", "bob", "rita"), audiences):
        readers = audience.user_ids - {world[name].user.id}
        principal = replace(world[name].principal, audience=replace(audience, user_ids=readers))
        found = await listed(world, principal)
        for owner, visibility, grants, file in made:
            alone = visibility is not Visibility.MY or name == owner or name in grants
            together = visibility is not Visibility.MY or (
                not audience.workspace and all(_is(world, reader, owner, grants) for reader in readers)
            )
            expected = alone and together
            case = f"{name} of {owner}'s {visibility} for {grants} before {audience}"
            assert may(principal, Action.READ, file) is expected, case
            assert (file.id in found) is expected, case


def _is(world: World, reader: UUID, *named: str | tuple[str, ...]) -> bool:
    flat = [name for each in named for name in ([each] if isinstance(each, str) else each)]
    return reader in {world[name].user.id for name in flat}


async def listed(world: World, principal: Principal) -> set[UUID]:
    page = await world.services.files.list(principal, world.instances["lab"].id, PageRequest(limit=200), FileFilter())
    return {file.id for file in page.items}


async def test_a_file_is_shared_by_name_by_its_owner_with_members(world: World) -> None:
    file = await make(world, "bob", "plan.txt", b"secret")
    body = {"fileIds": [str(file.id)], "visibility": "MY", "sharedWith": [str(world["rita"].user.id)]}
    assert (await world.call("rita", "GET", f"/api/files/{file.id}")).status_code == 404
    assert (await world.call("bob", "POST", "/api/files/share", body)).json()["items"][0]["sharedWith"]
    assert await names(world, "rita") == ["plan.txt"]
    assert await names(world, "alice") == []
    assert (await world.call("rita", "GET", f"/api/files/{file.id}/content")).content == b"secret"
    assert (await world.call("rita", "PATCH", f"/api/files/{file.id}", {"name": "x"})).status_code == 403
    assert (await world.call("rita", "DELETE", f"/api/files/{file.id}")).status_code == 403
    theirs = {**body, "sharedWith": [str(world["alice"].user.id)]}
    assert (await world.call("rita", "POST", "/api/files/share", theirs)).status_code == 403
    for outsider in ("olaf", "zoe"):
        wrong = {**body, "sharedWith": [str(world[outsider].user.id)]}
        assert (await world.call("bob", "POST", "/api/files/share", wrong)).status_code == 422
    assert (await world.call("bob", "POST", "/api/files/share", {**body, "sharedWith": []})).status_code == 200
    assert await names(world, "rita") == []


async def folder(
    world: World, person: str, name: str, parent: Folder | None = None, visibility: Visibility | None = None
) -> Folder:
    folders, lab_id = world.services.folders, world.instances["lab"].id
    parent_id = parent.id if parent else None
    return await folders.create(world[person].principal, lab_id, name, parent_id, visibility=visibility)


async def seen(world: World, person: str) -> list[str]:
    return [item["name"] for item in (await world.call(person, "GET", lab(world, "folders"))).json()["items"]]


@pytest.mark.requirement("J1")
async def test_a_folder_is_private_until_it_is_shared(world: World) -> None:
    made = await folder(world, "bob", "Merger")
    inner = await folder(world, "bob", "Drafts", made)
    assert inner.visibility is Visibility.MY, "as the one it lies in"
    assert [await seen(world, name) for name in ("bob", "alice", "rita")] == [["Drafts", "Merger"], [], []]
    assert (await world.call("alice", "GET", f"/api/folders/{made.id}")).status_code == 404
    assert (await folder(world, "alice", "Merger")).name == "Merger", "a name used in private is free"
    for method, path, body in (
        ("PATCH", f"/api/folders/{made.id}", {"name": "x"}),
        ("DELETE", f"/api/folders/{made.id}", None),
        ("POST", lab(world, "folders"), {"name": "x", "parentId": str(made.id)}),
    ):
        assert (await world.call("alice", method, path, body)).status_code in (404, 422)
    with pytest.raises(InvalidInput):
        await folder(world, "bob", "Open", made, Visibility.GROUP)
    with pytest.raises(InvalidInput):
        await make(world, "alice", "a.txt", folder_id=made.id)
    shown = await world.call("bob", "PATCH", f"/api/folders/{made.id}", {"visibility": "GROUP", "name": "Deal"})
    assert shown.status_code == 200, shown.text
    assert [await seen(world, name) for name in ("alice", "rita")] == [["Deal", "Merger"], ["Deal"]]


async def test_a_folder_is_taken_back_by_its_owner_alone(world: World) -> None:
    folders: Folders = world.services.folders
    made = await folder(world, "bob", "Open", None, Visibility.GROUP)
    hers = await folder(world, "alice", "Hers", made)
    assert hers.visibility is Visibility.GROUP
    private = FolderChange(visibility=Visibility.MY)
    with pytest.raises(Forbidden):
        await folders.change(world["alice"].principal, made.id, private)
    with pytest.raises(Conflict):
        await folders.change(world["bob"].principal, made.id, private)
    await folders.delete(world["alice"].principal, hers.id)
    assert (await folders.change(world["bob"].principal, made.id, private)).visibility is Visibility.MY
    assert await seen(world, "alice") == []


async def test_what_is_shared_out_of_a_private_folder_lies_at_the_top_for_others(world: World) -> None:
    made = await folder(world, "bob", "Merger")
    await make(world, "bob", "open.txt", folder_id=made.id, visibility=Visibility.GROUP)
    assert await names(world, "rita", "?folderId=root") == ["open.txt"]
    assert await names(world, "bob", "?folderId=root") == []
    assert await names(world, "bob", f"?folderId={made.id}") == ["open.txt"]


async def test_a_rule_of_a_private_folder_files_its_owners_things_alone(world: World) -> None:
    lab_id = world.instances["lab"].id
    made = await world.services.folders.create(world["bob"].principal, lab_id, "Mine", auto_rule="name:*.txt")
    assert (await make(world, "alice", "hers.txt")).folder_id is None
    assert (await make(world, "bob", "his.txt")).folder_id == made.id


async def test_who_deletes_a_folder_takes_nothing_along_that_they_cannot_see(world: World) -> None:
    outer = await folder(world, "alice", "Open", None, Visibility.GROUP)
    hidden = await folder(world, "bob", "Hidden", outer, Visibility.MY)
    kept = await make(world, "bob", "kept.txt", folder_id=hidden.id)
    await world.services.folders.delete(world["alice"].principal, outer.id)
    assert await seen(world, "bob") == ["Hidden"]
    assert (await world.services.folders.get(world["bob"].principal, hidden.id)).parent_id is None
    assert (await world.services.files.get(world["bob"].principal, kept.id)).folder_id == hidden.id


async def test_an_administrator_neither_shares_nor_throws_away_what_is_private(world: World) -> None:
    file = await make(world, "bob", "mine.txt")
    alice, files = world["alice"].principal, world.services.files
    for visibility in Visibility:
        with pytest.raises(NotFound):
            await files.share(alice, [file.id], visibility)
    with pytest.raises(NotFound):
        await files.delete(alice, file.id)
    await files.share(world["bob"].principal, [file.id], Visibility.GROUP)
    with pytest.raises(Forbidden):
        await files.share(alice, [file.id], Visibility.MY)
    assert (await files.share(alice, [file.id], Visibility.ALL))[0].visibility is Visibility.ALL, "promoting is theirs"


async def test_the_trash_of_others_is_theirs(world: World) -> None:
    file = await make(world, "bob", "plan.txt")
    bob = world["bob"].principal
    await world.services.files.share(bob, [file.id], Visibility.MY, [world["alice"].user.id])
    await world.services.files.delete(bob, file.id)
    assert await names(world, "alice", "?deleted=true") == []
    assert await names(world, "bob", "?deleted=true") == ["plan.txt"]


async def test_a_name_of_a_file_that_not_all_readers_see_is_numbered(world: World) -> None:
    first = await make(world, "bob", "report.md", b"one")
    together = replace(world["bob"].principal, audience=Audience(world.instances["lab"].id, workspace=True))
    again = await world.services.files.store(together, world.instances["lab"].id, NewFile("report.md"), pieces(b"two"))
    assert (again.name, again.version) == ("report (2).md", 1)
    assert (await world.services.files.get(world["bob"].principal, first.id)).version == 1
