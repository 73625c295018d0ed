"""Files: names that meet, versions, lists, sharing, trash, many at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.files.sending import content, lab, make, names, upload
from tests.lapsing import time_passes
from tests.world import World
from workroom.core.actors import SystemActor
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, NotFound
from workroom.files import scans
from workroom.files.errors import FileExists
from workroom.files.jobs import empty_trash
from workroom.files.service import Files
from workroom.files.types import FileChange, FileStatus, NewFile, OnConflict
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Level, Rule
from workroom.identity.users import UserChange


async def change(world: World, person: str, file_id: object, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = await world.call(person, "PATCH", f"/api/files/{file_id}", body)
    return answer.status_code, answer.json()


class TestTheSameName:
    async def test_of_ones_own_makes_a_version(self, world: World) -> None:
        first = await make(world, "bob", "report.pdf", b"one")
        second = await make(world, "bob", "report.pdf", b"two")
        assert (second.id, second.version) == (first.id, 2)
        assert (await content(world, "bob", first.id)).content == b"two"
        assert (await content(world, "bob", first.id, "?version=1")).content == b"one"

    async def test_with_the_same_content_changes_nothing(self, world: World) -> None:
        first = await make(world, "bob", "report.pdf", b"one")
        assert await make(world, "bob", "report.pdf", b"one") == first

    async def test_decomposed_is_the_same_name(self, world: World) -> None:
        first = await make(world, "bob", "Überblick.pdf", b"one")
        assert (await make(world, "bob", "U\u0308berblick.pdf", b"two")).id == first.id

    async def test_renamed_on_request(self, world: World) -> None:
        await make(world, "bob", "report.pdf", b"one")
        for expected in ("report (2).pdf", "report (3).pdf"):
            other = await make(world, "bob", "report.pdf", b"two", on_conflict=OnConflict.RENAME)
            assert (other.name, other.version) == (expected, 1)

    async def test_refused_on_request(self, world: World) -> None:
        await make(world, "bob", "report.pdf")
        with pytest.raises(FileExists):
            await make(world, "bob", "report.pdf", b"two", on_conflict=OnConflict.FAIL)

    async def test_of_a_colleague_is_numbered_and_a_version_is_not_theirs_to_make(self, world: World) -> None:
        theirs = await make(world, "alice", "report.pdf", b"one", visibility=Visibility.GROUP)
        assert (await make(world, "bob", "report.pdf", b"two")).name == "report (2).pdf"
        with pytest.raises(FileExists):
            await make(world, "bob", "report.pdf", b"two", on_conflict=OnConflict.VERSION)
        mine = await make(world, "bob", "plan.pdf", b"one", visibility=Visibility.GROUP)
        changed = await make(world, "alice", "plan.pdf", b"two", on_conflict=OnConflict.VERSION)
        assert (changed.id, changed.version, changed.owner_id) == (mine.id, 2, mine.owner_id)
        assert (await world.services.files.get(world["alice"].principal, theirs.id)).version == 1

    async def test_of_a_colleagues_private_file_cannot_be_noticed(self, world: World) -> None:
        await make(world, "alice", "secret.pdf", b"one")
        mine = await make(world, "bob", "secret.pdf", b"two", on_conflict=OnConflict.FAIL)
        assert (mine.name, mine.version) == ("secret.pdf", 1)

    async def test_in_another_folder_is_another_file(self, world: World) -> None:
        folder = await world.services.folders.create(world["bob"].principal, world.instances["lab"].id, "Old")
        first = await make(world, "bob", "report.pdf", b"one")
        second = await make(world, "bob", "report.pdf", b"two", folder_id=folder.id)
        assert first.id != second.id
        status, body = await change(world, "bob", second.id, folderId=None)
        assert (status, body["code"]) == (409, "nameTaken")
        assert (await change(world, "bob", second.id, folderId=None, name="other.pdf"))[0] == 200

    async def test_by_ten_at_once_makes_one_file_with_ten_versions(self, world: World) -> None:
        made = await asyncio.gather(*(make(world, "bob", "busy.txt", str(n).encode()) for n in range(10)))
        assert len({file.id for file in made}) == 1
        assert sorted(file.version for file in made) == list(range(1, 11))


@pytest.mark.requirement("J3")
async def test_versions_are_listed_and_brought_back(world: World) -> None:
    file = await make(world, "bob", "text.txt", b"one", media_type="text/plain")
    await make(world, "bob", "text.txt", b"two", media_type="text/markdown")
    restored = await world.call("bob", "POST", f"/api/files/{file.id}/versions/restore", {"version": 1})
    assert (restored.json()["version"], restored.json()["mediaType"]) == (3, "text/plain")
    assert (await content(world, "bob", file.id)).content == b"one"
    listed = (await world.call("bob", "GET", f"/api/files/{file.id}/versions")).json()["items"]
    assert [(v["version"], v["restoredFrom"], v["madeByName"]) for v in listed] == [
        (3, 1, "Bob"),
        (2, None, "Bob"),
        (1, None, "Bob"),
    ]
    assert listed[0]["hash"] == listed[2]["hash"]
    again = await world.call("bob", "POST", f"/api/files/{file.id}/versions/restore", {"version": 3})
    assert again.json()["version"] == 3, "the newest is there already"
    assert (
        await world.call("bob", "POST", f"/api/files/{file.id}/versions/restore", {"version": 9})
    ).status_code == 404
    assert (await content(world, "bob", file.id, "?version=9")).status_code == 404


@pytest.mark.requirement("J1")
async def test_a_file_is_described_tagged_renamed_archived(world: World) -> None:
    file = await make(world, "bob", "a.txt")
    status, body = await change(
        world,
        "bob",
        file.id,
        name="Bericht Ü.txt",
        description=" Für Anna ",
        tags=["geld", "Geld ", "Q4"],
        status="archived",
    )
    assert status == 200
    assert (body["name"], body["description"], body["tags"]) == ("Bericht Ü.txt", "Für Anna", ["Geld", "Q4"])
    assert (body["status"], body["version"]) == ("archived", 1)
    assert (await change(world, "bob", file.id, status="processing"))[0] == 422
    assert (await change(world, "bob", file.id, name="a/b"))[0] == 422
    assert (await change(world, "bob", file.id, folderId=str(world["bob"].user.id)))[0] == 422


class TestLists:
    async def _some(self, world: World) -> UUID:
        bob, instance = world["bob"].principal, world.instances["lab"].id
        folder = await world.services.folders.create(bob, instance, "Numbers")
        await make(world, "bob", "b.csv", b"1" * 30, folder_id=folder.id, tags=("Money", "Q4"), media_type="text/csv")
        await make(world, "bob", "a.pdf", b"1" * 20, tags=("money",), media_type="application/pdf")
        await make(world, "bob", "c_1%.png", b"1" * 10, media_type="image/png", description="Ein Bild vom Haus")
        return folder.id

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("", ["a.pdf", "b.csv", "c_1%.png"]),
            ("?sort=size", ["c_1%.png", "a.pdf", "b.csv"]),
            ("?sort=createdAt&order=desc", ["c_1%.png", "a.pdf", "b.csv"]),
            ("?folderId=root", ["a.pdf", "c_1%.png"]),
            ("?folderId=FOLDER", ["b.csv"]),
            ("?tags=Money", ["a.pdf", "b.csv"]),
            ("?tags=money&tags=q4", ["b.csv"]),
            ("?type=pdf", ["a.pdf"]),
            ("?type=image", ["c_1%.png"]),
            ("?type=text/csv", ["b.csv"]),
            ("?type=.CSV", ["b.csv"]),
            ("?pattern=*.P*", ["a.pdf", "c_1%.png"]),
            ("?pattern=c%3F1%25.png", ["c_1%.png"]),
            ("?pattern=c_1_.png", []),
            ("?q=haus", ["c_1%.png"]),
            ("?q=q4", ["b.csv"]),
            ("?status=archived", []),
            ("?deleted=true", []),
            ("?visibility=GROUP", []),
        ],
    )
    async def test_filters(self, world: World, query: str, found: list[str]) -> None:
        folder_id = await self._some(world)
        assert await names(world, "bob", query.replace("FOLDER", str(folder_id))) == found

    async def test_pages(self, world: World) -> None:
        for number in range(5):
            await make(world, "bob", f"{number}.txt", str(number).encode())
        seen: list[str] = []
        cursor = ""
        while True:
            page = (await world.call("bob", "GET", lab(world, f"files?limit=2&sort=size{cursor}"))).json()
            seen += [item["name"] for item in page["items"]]
            if page["nextCursor"] is None:
                break
            cursor = f"&cursor={page['nextCursor']}"
        assert sorted(seen) == [f"{number}.txt" for number in range(5)]

    @pytest.mark.parametrize(
        "query", ["?folderId=x", "?status=x", "?pattern=", "?tags=%00", "?type=%00", "?sort=owner", "?owner=x"]
    )
    async def test_what_is_no_filter(self, shared_world: World, query: str) -> None:
        assert (await shared_world.call("bob", "GET", lab(shared_world, "files") + query)).status_code == 422


class TestSharing:
    @pytest.mark.requirement("N2")
    async def test_a_file_is_its_owners_until_it_is_shared(self, world: World) -> None:
        file = await make(world, "bob", "plan.txt")
        for person in ("rita", "olaf", "zoe"):
            assert (await content(world, person, file.id)).status_code == 404
        assert await names(world, "rita") == []
        assert (await change(world, "bob", file.id, visibility="GROUP"))[0] == 200
        assert await names(world, "rita") == ["plan.txt"]
        assert (await content(world, "rita", file.id)).status_code == 200
        assert (await change(world, "rita", file.id, name="mine.txt"))[0] == 403
        assert (await content(world, "olaf", file.id)).status_code == 404
        await change(world, "bob", file.id, visibility="MY")
        assert (await content(world, "rita", file.id)).status_code == 404

    async def test_only_who_may_write_everywhere_shares_with_everybody(self, world: World) -> None:
        file = await make(world, "bob", "policy.txt")
        assert (await change(world, "bob", file.id, visibility="ALL"))[0] == 403
        assert (await change(world, "alice", file.id, visibility="ALL"))[0] == 404, "she does not even see it"
        assert (await change(world, "bob", file.id, visibility="GROUP"))[0] == 200
        assert (await change(world, "alice", file.id, visibility="ALL"))[0] == 200
        for person in ("olaf", "rita", "bob"):
            assert (await content(world, person, file.id)).status_code == 200
        assert (await content(world, "zoe", file.id)).status_code == 404
        assert (await change(world, "bob", file.id, name="mine.txt"))[0] == 403, "the owner, too, needs the level now"
        assert (await world.call("bob", "DELETE", f"/api/files/{file.id}")).status_code == 403
        with pytest.raises(Forbidden):
            await make(world, "bob", "other.txt", visibility=Visibility.ALL)

    async def test_the_shared_layer_is_seen_from_every_workspace(self, world: World) -> None:
        services, alice = world.services, world["alice"].principal
        await make(world, "alice", "policy.txt", visibility=Visibility.ALL)
        other = await services.instances.create(alice, "Other")
        listed = await world.call("alice", "GET", f"/api/workspace/{other.id}/files?visibility=ALL")
        assert [item["name"] for item in listed.json()["items"]] == ["policy.txt"]
        assert (await world.call("alice", "GET", f"/api/workspace/{other.id}/files")).json()["items"] == []

    async def test_a_colleague_with_the_level_changes_but_does_not_hide(self, world: World) -> None:
        alice = world["alice"].principal
        rules = [Rule("data.file", action, Level.GROUP) for action in (Action.READ, Action.UPDATE, Action.DELETE)]
        rules.append(Rule("data.instance", Action.READ, Level.GROUP))
        role = await world.services.roles.create(alice, "Editor", "", rules)
        await world.services.users.change(alice, world["rita"].user.id, UserChange(role_id=role.id))
        shared = await make(world, "bob", "shared.txt", visibility=Visibility.GROUP)
        private = await make(world, "bob", "private.txt")
        assert (await change(world, "rita", shared.id, name="better.txt"))[0] == 200
        assert (await change(world, "rita", shared.id, visibility="MY"))[0] == 403
        assert (await change(world, "rita", private.id, name="x.txt"))[0] == 404

    async def test_a_role_held_in_the_workspace_is_enough_for_ones_own_files(self, world: World) -> None:
        """Rita may only read; as a member of the lab she may store there, and change what she stored."""
        alice, lab_id = world["alice"].principal, world.instances["lab"].id
        await world.services.instances.put_member(alice, lab_id, world["rita"].user.id, world.roles["lab-member"].id)
        file = await upload(world, "rita", b"mine", name="mine.txt")
        assert (await change(world, "rita", file["id"], name="still mine.txt"))[0] == 200
        assert await names(world, "rita") == ["still mine.txt"]
        assert await names(world, "bob") == []

    async def test_whoever_left_the_workspace_has_lost_sight_of_it(self, world: World) -> None:
        file = await make(world, "bob", "mine.txt")
        await world.services.instances.remove_member(
            world["alice"].principal, world.instances["lab"].id, world["bob"].user.id
        )
        assert (await content(world, "bob", file.id)).status_code == 404

    async def test_history_tells_of_sharing_and_names_nothing_private(self, world: World) -> None:
        file = await make(world, "bob", "salary.txt")
        await change(world, "bob", file.id, visibility="GROUP")
        await change(world, "bob", file.id, visibility="MY")
        await world.call("bob", "DELETE", f"/api/files/{file.id}")
        await world.call("bob", "POST", f"/api/files/{file.id}/restore")
        entries = (await world.call("alice", "GET", "/api/audit?sort=at")).json()["items"]
        told = [(e["action"], e["details"]) for e in entries if e["objectKind"] == "file"]
        assert told == [
            ("file.shared", {"name": "salary.txt", "visibility": "GROUP", "before": "MY"}),
            ("file.shared", {"visibility": "MY", "before": "GROUP"}),
            ("file.deleted", {}),
            ("file.restored", {}),
        ]

    async def test_history_names_a_private_file_to_those_who_may_read_it(self, world: World) -> None:
        own, bobs = await make(world, "alice", "plan.txt"), await make(world, "bob", "salary.txt")
        for person, file in (("alice", own), ("bob", bobs)):
            await world.call(person, "DELETE", f"/api/files/{file.id}")
        entries = (await world.call("alice", "GET", "/api/audit?sort=at")).json()["items"]
        told = {e["objectId"]: e["details"] for e in entries if e["action"] == "file.deleted"}
        assert told == {str(own.id): {"name": "plan.txt"}, str(bobs.id): {}}


class TestTrash:
    async def test_there_and_back(self, world: World) -> None:
        file = await make(world, "bob", "a.txt")
        assert (await world.call("bob", "DELETE", f"/api/files/{file.id}")).status_code == 204
        assert (await content(world, "bob", file.id)).status_code == 404
        assert await names(world, "bob") == []
        assert await names(world, "bob", "?deleted=true") == ["a.txt"]
        assert await names(world, "rita", "?deleted=true") == []
        assert (await world.call("bob", "POST", f"/api/files/{file.id}/restore")).json()["deletedAt"] is None
        assert (await content(world, "bob", file.id)).content == b"content"

    async def test_a_name_taken_meanwhile_gets_a_number(self, world: World) -> None:
        file = await make(world, "bob", "a.txt", b"old")
        await world.call("bob", "DELETE", f"/api/files/{file.id}")
        other = await make(world, "bob", "a.txt", b"new")
        assert other.id != file.id
        assert (await world.call("bob", "POST", f"/api/files/{file.id}/restore")).json()["name"] == "a (2).txt"

    async def test_for_good_only_from_the_trash(self, world: World) -> None:
        file = await make(world, "bob", "a.txt")
        first = await world.call("bob", "DELETE", f"/api/files/{file.id}?forever=true")
        assert (first.status_code, first.json()["code"]) == (409, "notInTrash")
        await world.call("bob", "DELETE", f"/api/files/{file.id}")
        assert (await world.call("bob", "DELETE", f"/api/files/{file.id}?forever=true")).status_code == 204
        assert (await world.call("bob", "POST", f"/api/files/{file.id}/restore")).status_code == 404

    async def test_it_is_emptied_after_thirty_days(self, world: World) -> None:
        services, bob = world.services, world["bob"].principal
        fresh, old = [await make(world, "bob", name) for name in ("fresh", "old")]
        for file, days in ((fresh, 29), (old, 31)):
            await services.files.delete(bob, file.id)
            async with services.db.unit_of_work(bob.actor) as uow:
                gone = now() - timedelta(days=days)
                await uow.execute("update files set deleted_at = $2 where file_id = $1", file.id, gone)
        assert await empty_trash(services.db) == 1
        assert (await services.files.restore(bob, fresh.id)).name == "fresh"
        with pytest.raises(NotFound):
            await services.files.restore(bob, old.id)


class TestManyAtOnce:
    async def _do(self, world: World, person: str, ids: list[UUID], **body: Any) -> tuple[int, dict[str, Any]]:
        answer = await world.call(person, "POST", lab(world, "files", "bulk"), {"ids": [str(i) for i in ids], **body})
        return answer.status_code, answer.json()

    async def test_each_action(self, world: World) -> None:
        bob, instance = world["bob"].principal, world.instances["lab"].id
        folder = await world.services.folders.create(bob, instance, "Here")
        ids = [(await make(world, "bob", f"{n}.txt", tags=("old",))).id for n in range(3)]
        for body in (
            {"action": "tag", "tags": ["new"]},
            {"action": "tag", "tags": ["New"]},
            {"action": "untag", "tags": ["OLD"]},
            {"action": "move", "folderId": str(folder.id)},
            {"action": "archive"},
            {"action": "share", "visibility": "GROUP"},
        ):
            status, done = await self._do(world, "bob", ids, **body)
            assert status == 200, done
            assert [item["id"] for item in done["items"]] == [str(i) for i in ids]
        for item in done["items"]:
            assert (item["tags"], item["folderId"], item["status"]) == (["New"], str(folder.id), "archived")
            assert item["visibility"] == "GROUP"
        assert (await self._do(world, "bob", ids, action="delete"))[0] == 200
        assert await names(world, "bob") == []
        assert (await self._do(world, "bob", ids, action="restore"))[0] == 200
        assert len(await names(world, "bob")) == 3

    async def test_all_or_nothing_and_why(self, world: World) -> None:
        mine = (await make(world, "bob", "mine.txt")).id
        shared = (await make(world, "alice", "shared.txt", visibility=Visibility.GROUP)).id
        hidden = (await make(world, "alice", "hidden.txt")).id
        status, body = await self._do(world, "bob", [mine, shared, hidden], action="delete")
        assert (status, body["code"]) == (409, "bulkRefused")
        assert {error["id"]: error["code"] for error in body["details"]["errors"]} == {
            str(shared): "forbidden",
            str(hidden): "notFound",
        }
        assert await names(world, "bob") == ["mine.txt", "shared.txt"]

    async def test_a_file_of_another_workspace_is_not_there(self, world: World) -> None:
        alice = world["alice"].principal
        other = await world.services.instances.create(alice, "Other")
        file = (await make(world, "alice", "mine.txt")).id
        path = f"/api/workspace/{other.id}/files/bulk"
        answer = await world.call("alice", "POST", path, {"ids": [str(file)], "action": "delete"})
        assert answer.json()["details"]["errors"][0]["code"] == "notFound"

    async def test_sharing_must_say_with_whom(self, world: World) -> None:
        assert (await self._do(world, "bob", [], action="share"))[0] == 422


async def test_a_tool_stores_a_file_in_its_own_transaction(world: World) -> None:
    """First the slow half, then file and result together; what is rolled back is not there."""
    services, bob, instance = world.services, world["bob"].principal, world.instances["lab"].id
    files: Files = services.files

    async def chunks() -> Any:
        yield b"made by a tool"

    blob = await files.put(bob, chunks())
    with pytest.raises(RuntimeError):
        async with services.db.unit_of_work(bob.actor) as uow:
            await files.record(uow, bob, instance, NewFile("made.txt"), blob)
            raise RuntimeError
    assert await names(world, "bob") == []
    async with services.db.unit_of_work(bob.actor) as uow:
        made = await files.record(uow, bob, instance, NewFile("made.txt"), blob)
    found = await files.read(bob, made.id)
    async with files.local(found) as path:
        assert path.read_bytes() == b"made by a tool"


async def test_what_a_look_finds_is_believed_of_the_version_it_looked_into(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    made = await make(world, "bob", "made.bin")
    assert (made.status, made.media_type) == (FileStatus.PROCESSING, "application/octet-stream")
    worker_id = await services.db.worker_id()
    async with services.db.unit_of_work(SystemActor.SWEEP) as uow:
        scan = await scans.claim(uow, worker_id)
    assert scan is not None
    async with services.db.unit_of_work(bob.actor) as uow:
        await scans.found(uow, bob.mandate_id, made.id, 1, "text/plain", "Its name says something else.")
        await scans.done(uow, scan)
    seen = await services.files.read(bob, made.id)
    assert (seen.file.media_type, seen.file.status) == ("text/plain", FileStatus.ACTIVE)
    assert (seen.version.known, seen.version.lie) == (True, "Its name says something else.")
    async with services.db.unit_of_work(bob.actor) as uow:
        await scans.found(uow, bob.mandate_id, made.id, 7, "image/png", None)
        await scans.done(uow, replace(scan, version=7))
    assert (await services.files.get(bob, made.id)).media_type == "text/plain"


async def test_looks_are_shared_out_fairly_and_held_by_one(world: World) -> None:
    services, bob, alice = world.services, world["bob"].principal, world["alice"].principal
    mine = [(await make(world, "bob", f"{n}.txt")).id for n in range(3)]
    hers = (await make(world, "alice", "hers.txt")).id

    worker_id = await services.db.worker_id()

    async def claim(most: int) -> list[UUID]:
        claimed.clear()
        async with services.db.unit_of_work(SystemActor.SWEEP) as uow:
            while len(claimed) < most and (scan := await scans.claim(uow, worker_id)) is not None:
                claimed[scan.file_id] = scan
        return list(claimed)

    claimed = dict[UUID, scans.Scan]()
    assert set(await claim(2)) == {mine[0], hers}, "everybody's first before anybody's second"
    assert await claim(10) == mine[1:]
    assert await claim(10) == [], "each is held by one"
    await services.files.delete(bob, mine[0])
    await time_passes(world, "files", minutes=6)
    assert await claim(10) == [hers, *mine[1:]], "a lease lapses with its worker; what is deleted is not scanned"
    async with services.db.unit_of_work(alice.actor) as uow:
        await scans.done(uow, replace(claimed[hers], epoch=1))
        await scans.done(uow, claimed[hers])
    await time_passes(world, "files", minutes=6)
    assert hers not in await claim(10)
    await make(world, "alice", "hers.txt", b"another version")
    assert await claim(10) == [hers]


async def test_open_pages_hear_of_what_they_may_see(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    with services.changes.subscribe() as inbox:
        private = await make(world, "bob", "private.txt")
        shared = await make(world, "bob", "shared.txt", visibility=Visibility.GROUP)
        await services.files.change(bob, shared.id, FileChange(visibility=Visibility.MY))
        heard: list[tuple[UUID, UUID | None]] = []
        async with asyncio.timeout(60):
            while sum(file_id == shared.id for file_id, _ in heard) < 3:
                heard += [(c.id, c.instance_id) for c in await inbox.take(5) if c.kind is ChangeKind.FILE]
    lab_id = world.instances["lab"].id
    assert {where for file_id, where in heard if file_id == private.id} == {None}
    assert (shared.id, lab_id) in heard
    assert heard[-1] == (shared.id, lab_id), "those who could see it until now are told that they cannot any more"
