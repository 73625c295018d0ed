"""Promote and take back: who may, what history and open pages are told, and that what is taken back is gone everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import httpx2
import pytest
from starlette.requests import Request

from tests.contents.room import numbered_pdf
from tests.documents.making import package
from tests.files.sending import content, lab, make, store
from tests.runs.bench import RunBench, Waiting
from tests.world import World, some_id
from workroom.agent.testing import call, say
from workroom.api.events import event_stream
from workroom.core.messages import ResultPart
from workroom.files.bulk import MOST_AT_ONCE
from workroom.files.types import NewFile
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Level, Rule
from workroom.identity.users import UserChange

SECONDS = 60.0


async def share(world: World, who: str, ids: Sequence[object], visibility: str) -> httpx2.Response:
    body = {"fileIds": [str(file_id) for file_id in ids], "visibility": visibility}
    return await world.call(who, "POST", "/api/files/share", body)


async def seen_by(world: World, who: str, file_id: UUID) -> bool:
    answer = await world.call(who, "GET", f"/api/files/{file_id}")
    assert answer.status_code in (200, 404)
    return answer.status_code == 200


async def give(world: World, who: str, *rules: Rule) -> None:
    alice = world["alice"].principal
    usual = [Rule("data.instance", Action.READ, Level.GROUP), Rule("data.file", Action.READ, Level.GROUP)]
    role = await world.services.roles.create(alice, "Made", "", [*usual, *rules])
    await world.services.users.change(alice, world[who].user.id, UserChange(role_id=role.id))


class TestWhoMay:
    @pytest.mark.requirement("H6")
    async def test_many_are_promoted_and_taken_back_at_once(self, world: World) -> None:
        files = [(await make(world, "bob", f"{n}.txt", visibility=Visibility.GROUP)).id for n in range(3)]
        answer = await share(world, "alice", files[::-1], "ALL")
        assert answer.status_code == 200
        told = answer.json()["items"]
        assert [item["id"] for item in told] == [str(file_id) for file_id in files[::-1]], (
            "in the order they were named"
        )
        assert {item["visibility"] for item in told} == {"ALL"}
        assert all([await seen_by(world, "olaf", file_id) for file_id in files])
        assert (await share(world, "alice", files, "MY")).status_code == 200
        assert not any([await seen_by(world, "olaf", file_id) for file_id in files])
        assert all([await seen_by(world, "bob", file_id) for file_id in files])

    @pytest.mark.requirement("H6")
    async def test_only_level_all_promotes_and_takes_back(self, world: World) -> None:
        """To update what the workspace shares is not enough, not even for the owner; to update everything is."""
        file = await make(world, "bob", "policy.txt", visibility=Visibility.GROUP)
        for person in ("bob", "rita"):
            answer = await share(world, person, [file.id], "ALL")
            assert answer.status_code == 403, person
        assert (await share(world, "bob", [file.id], "ALL")).json()["code"] == "promotionRefused"
        patched = await world.call("bob", "PATCH", f"/api/files/{file.id}", {"visibility": "ALL"})
        assert (patched.status_code, patched.json()["code"]) == (403, "promotionRefused")
        await give(world, "rita", Rule("data.file", Action.UPDATE, Level.ALL))
        assert (await share(world, "rita", [file.id], "ALL")).status_code == 200
        for wanted in ("GROUP", "MY"):
            refused = await share(world, "bob", [file.id], wanted)
            assert (refused.status_code, refused.json()["code"]) == (403, "promotionRefused"), "its owner, too"
        assert await seen_by(world, "olaf", file.id)
        assert (await share(world, "rita", [file.id], "GROUP")).status_code == 200
        assert not await seen_by(world, "olaf", file.id)

    async def test_a_colleague_who_may_write_does_not_say_who_sees_it(self, world: World) -> None:
        await give(world, "rita", Rule("data.file", Action.UPDATE, Level.GROUP))
        file = await make(world, "bob", "ours.txt", visibility=Visibility.GROUP)
        refused = await share(world, "rita", [file.id], "MY")
        assert (refused.status_code, refused.json()["code"]) == (403, "sharingRefused")
        assert await seen_by(world, "rita", file.id)

    async def test_one_that_cannot_be_leaves_all_as_they_were(self, world: World) -> None:
        mine, hers = await make(world, "bob", "mine.txt"), await make(world, "alice", "hers.txt")
        group = await make(world, "alice", "ours.txt", visibility=Visibility.GROUP)
        wanted = [mine.id, hers.id, group.id, some_id()]
        refused = await share(world, "bob", wanted, "GROUP")
        assert (refused.status_code, refused.json()["code"]) == (409, "bulkRefused")
        errors = {error["id"]: error for error in refused.json()["details"]["errors"]}
        assert {key: error["code"] for key, error in errors.items()} == {
            str(hers.id): "notFound",
            str(group.id): "forbidden",
            str(some_id()): "notFound",
        }
        assert errors[str(hers.id)]["message"] == errors[str(some_id())]["message"], "nothing tells that it exists"
        assert not await seen_by(world, "rita", mine.id)

    async def test_files_of_several_workspaces(self, world: World) -> None:
        """What everybody shares comes from everywhere, and is taken back from one list."""
        services, alice = world.services, world["alice"].principal
        world.instances["attic"] = await services.instances.create(alice, "Attic")
        here = await make(world, "alice", "here.txt", visibility=Visibility.ALL)
        other = await store(world, "alice", b"x", NewFile("other.txt"), slug="attic")
        assert (await share(world, "alice", [other.id], "ALL")).status_code == 200
        assert await seen_by(world, "olaf", other.id)
        done = await share(world, "alice", [here.id, other.id], "MY")
        assert [item["instanceId"] for item in done.json()["items"]] == [
            str(world.instances[slug].id) for slug in ("lab", "attic")
        ]
        assert not await seen_by(world, "olaf", other.id)

    @pytest.mark.parametrize("count", [0, MOST_AT_ONCE + 1])
    async def test_none_and_too_many_are_refused(self, world: World, count: int) -> None:
        refused = await share(world, "alice", [some_id()] * count, "GROUP")
        assert (refused.status_code, refused.json()["code"]) == (422, "invalidInput")

    async def test_what_is_in_the_trash_or_elsewhere_is_not_shared(self, world: World) -> None:
        file = await make(world, "bob", "old.txt")
        await world.services.files.delete(world["bob"].principal, file.id)
        assert (await share(world, "bob", [file.id], "GROUP")).status_code == 404
        kept = await make(world, "bob", "kept.txt")
        assert (await share(world, "zoe", [kept.id], "ALL")).status_code == 404
        assert (await share(world, "bob", [kept.id], "nobody")).status_code == 422


class TestToldOf:
    async def test_history_says_from_where_to_where(self, world: World) -> None:
        file = await make(world, "bob", "plan.txt", visibility=Visibility.GROUP)
        await share(world, "alice", [file.id], "ALL")
        await share(world, "alice", [file.id], "ALL")
        await share(world, "alice", [file.id], "MY")
        entries = (await world.call("alice", "GET", "/api/audit?limit=50")).json()["items"]
        told = [e["details"] for e in entries if e["action"] == "file.shared" and e["objectId"] == str(file.id)]
        assert told == [
            {"visibility": "ALL", "before": "GROUP", "name": "plan.txt"},
            {"visibility": "MY", "before": "ALL"},
        ], "what changed nothing is no entry, and a private file's name is not kept"

    @pytest.mark.parametrize("what", ["promote", "takeBack", "delete", "folder"])
    async def test_open_pages_of_other_workspaces_look_again(self, world: World, what: str) -> None:
        """Olaf is in no workspace; what everybody shares is his to see, and to see go."""
        alice = world["alice"].principal
        folder = await world.services.folders.create(alice, world.instances["lab"].id, "Rules")
        before = Visibility.MY if what == "promote" else Visibility.ALL
        file = await make(world, "alice", "policy.txt", visibility=before, folder_id=folder.id)
        private = await make(world, "alice", "secret.txt")
        async with heard(world, "olaf") as told:
            await share(world, "alice", [private.id], "GROUP")
            if what == "delete":
                await world.services.files.delete(alice, file.id)
            elif what == "folder":
                await world.services.folders.delete(alice, folder.id)
            else:
                await share(world, "alice", [file.id], "ALL" if what == "promote" else "GROUP")
            async for event in told:
                assert str(private.id) not in event, "what is not for him he does not hear of"
                if str(file.id) in event:
                    return
        raise AssertionError("nobody told him")


@asynccontextmanager
async def heard(world: World, name: str) -> AsyncIterator[AsyncIterator[str]]:
    """What that person's open page is told, after the hello."""
    cookie = f"{world.services.site.cookie_name}={world[name].cookie}".encode()
    request = Request({"type": "http", "app": world.app, "headers": [(b"cookie", cookie)], "client": ("127.0.0.1", 1)})

    async def lines() -> AsyncIterator[str]:
        async with asyncio.timeout(SECONDS):
            async for part in event_stream(request, world[name].principal, world.services):
                yield bytes(part).decode()

    told = lines()
    async for part in told:
        if "hello" in part:
            break
    yield told


class TestTakenBack:
    """Everything below was open to rita a moment ago."""

    @pytest.mark.requirement("H6")
    @pytest.mark.parametrize("how", ["takeBack", "delete"])
    async def test_nothing_answers_any_more_nor_from_a_cache(self, world: World, how: str) -> None:
        pdf = await make(world, "bob", "report.pdf", numbered_pdf(3), visibility=Visibility.GROUP)
        archive = package({"docs/a.txt": "inside", "b.txt": "more"})
        zipped = await make(world, "bob", "archive.zip", archive, visibility=Visibility.GROUP)
        paths = [
            f"/api/files/{pdf.id}",
            f"/api/files/{pdf.id}/content",
            f"/api/files/{pdf.id}/content?version=1&inline=true",
            f"/api/files/{pdf.id}/reading",
            f"/api/files/{pdf.id}/index",
            f"/api/files/{pdf.id}/objects?part=page:2",
            f"/api/files/{pdf.id}/pages/2/image?width=200",
            f"/api/files/{pdf.id}/pages/2/text",
            f"/api/files/{pdf.id}/find?q=page",
            f"/api/files/{pdf.id}/versions",
            f"/api/files/{pdf.id}/knowledge",
            f"/api/files/{zipped.id}/members",
            f"/api/files/{zipped.id}/content?inside=docs/a.txt",
            f"/api/files/{zipped.id}/reading?inside=docs/a.txt",
        ]
        link = (await world.call("rita", "POST", f"/api/files/{pdf.id}/link", {"inline": True})).json()["url"]
        tags: dict[str, str] = {}
        for path in [*paths, link]:
            answer = await world.call(None if path == link else "rita", "GET", path)
            assert answer.status_code == 200, path
            kept = answer.headers["cache-control"]
            assert kept in ("no-store", "private, no-cache"), f"{path}: a browser asks before it shows it again"
            if "etag" in answer.headers:
                tags[path] = answer.headers["etag"]
        assert len(tags) >= 4, "what is kept by browsers has a tag to ask with"
        if how == "takeBack":
            assert (await share(world, "bob", [pdf.id, zipped.id], "MY")).status_code == 200
        else:
            for file_id in (pdf.id, zipped.id):
                await world.services.files.delete(world["bob"].principal, file_id)
        for path in [*paths, link]:
            known = {"If-None-Match": tags[path]} if path in tags else {}
            answer = await world.call(None if path == link else "rita", "GET", path, headers=known)
            assert answer.status_code == 404, f"{path} {known}"
        names = (await world.call("rita", "GET", lab(world, "mentions"))).json()["items"]
        assert names == []

    @pytest.mark.requirement("H6")
    async def test_a_run_in_progress_reads_no_further(self, world: World) -> None:
        """What it has read is its own; what it asks for next is not there, and asked again the question finds nothing."""
        bench = RunBench(world)
        file = await make(world, "alice", "plan.txt", b"The treasure is under the oak.", visibility=Visibility.GROUP)
        accepted = await bench.ask("What does @plan.txt say?")
        model = Waiting([call("readFile", fileId=str(file.id))], [call("readFile", fileId="plan.txt")], say("Gone."))
        async with bench.worker(model) as runner:
            working = asyncio.create_task(runner.advance(bench.key(accepted)))
            await asyncio.wait_for(model.asked.wait(), SECONDS)
            assert (await share(world, "alice", [file.id], "MY")).status_code == 200
            model.let.set()
            await working
        assert "oak" in model.requests[0].messages[-1].materials[0].text, "read before it was taken back"
        results = [
            part.result
            for request in model.requests
            for message in request.messages
            for part in message.parts
            if isinstance(part, ResultPart)
        ]
        assert results
        assert all(result.status == "error" and "oak" not in result.text() for result in results)
        assert (await content(world, "bob", file.id)).status_code == 404, "what the material opens"
        again = await bench.runs.retry(bench.principal, bench.lab, accepted.conversation_id)
        later = await bench.advance(again, say("Nothing."))
        assert all("oak" not in part.text for part in later.requests[0].messages[-1].materials)
