"""Looking into what somebody keeps private: a right of its own, a reason, an hour, and all of it seen by the person concerned."""

from __future__ import annotations

from datetime import timedelta

import httpx2
import pytest

from tests.documents.containers.hostile import zipped
from tests.files.sending import make
from tests.world import World, sign_in
from workroom.core.clock import now
from workroom.core.pages import PageRequest
from workroom.files.types import FileFilter
from workroom.identity.mandates import operator
from workroom.runs.service import Input

REASON = {"reason": "Bob has left; the tender is due."}


async def auditor(world: World) -> None:
    """Vera: a member with the right, who belongs to no workspace; Alice, who has not got it, gave it to her."""
    rules = [
        {"objectKey": "data.private", "action": "read", "level": "ALL"},
        {"objectKey": "data.user", "action": "read", "level": "ALL"},
        {"objectKey": "data.instance", "action": "read", "level": "ALL"},
        {"objectKey": "data.file", "action": "read", "level": "GROUP"},
        {"objectKey": "data.conversation", "action": "read", "level": "MY"},
    ]
    role = await world.call("alice", "POST", "/api/roles", {"name": "Auditor", "rules": rules})
    assert role.status_code == 201, role.text
    principal = operator(world.acme.id)
    body = {"login": "vera@example.org", "displayName": "Vera", "roleId": role.json()["id"]}
    made = await world.call("alice", "POST", "/api/users", body)
    assert made.status_code == 201, made.text
    user = next(
        u for u in (await world.services.users.list(principal, PageRequest())).items if u.login == "vera@example.org"
    )
    await sign_in(world, "vera", principal, user)


def lab(world: World, what: str) -> str:
    return f"/api/workspace/{world.instances['lab'].id}/{what}"


async def begin(world: World, subject: str = "bob", by: str = "vera") -> httpx2.Response:
    return await world.call(by, "POST", f"/api/users/{world[subject].user.id}/inspections", REASON)


@pytest.mark.requirement("N1")
async def test_the_right_alone_opens_nothing_an_inspection_opens_one_persons_things(world: World) -> None:
    await auditor(world)
    private = await make(world, "bob", "tender.txt")
    hers = await make(world, "alice", "salaries.txt")
    said = await world.services.runs.input(world["bob"].principal, world.instances["lab"].id, Input("my plans"))
    thread = lab(world, f"conversations/{said.conversation_id}")
    for path in (f"/api/files/{private.id}", thread):
        assert (await world.call("vera", "GET", path)).status_code == 404, "before"
    began = await begin(world)
    assert began.status_code == 201, began.text
    for path in (f"/api/files/{private.id}", thread):
        assert (await world.call("vera", "GET", path)).status_code == 200, path
    names = [file["name"] for file in (await world.call("vera", "GET", lab(world, "files"))).json()["items"]]
    assert names == ["tender.txt"]
    assert (await world.call("vera", "GET", lab(world, "conversations"))).json()["items"][0]["mayWrite"] is False
    assert (await world.call("vera", "GET", f"/api/files/{hers.id}")).status_code == 404, "another person's"
    assert (await world.call("vera", "PATCH", f"/api/files/{private.id}", {"name": "x"})).status_code == 403
    assert (await world.call("vera", "DELETE", f"/api/files/{private.id}")).status_code == 404
    assert (await world.call("vera", "DELETE", thread)).status_code == 404
    assert (await world.call("vera", "DELETE", f"/api/inspections/{began.json()['id']}")).status_code == 204
    assert (await world.call("vera", "GET", f"/api/files/{private.id}")).status_code == 404, "after"


async def test_each_look_is_recorded_and_the_person_concerned_sees_who_and_why(world: World) -> None:
    await auditor(world)
    private = await make(world, "bob", "tender.txt")
    assert (await world.call("bob", "GET", "/api/privateReaders")).json()["items"][0]["displayName"] == "Vera"
    await begin(world)
    await world.call("vera", "GET", f"/api/files/{private.id}")
    await world.call("vera", "GET", lab(world, "files"))
    seen = (await world.call("bob", "GET", "/api/inspections")).json()["items"]
    assert [(one["inspectorName"], one["reason"]) for one in seen] == [("Vera", REASON["reason"])]
    assert (await world.call("alice", "GET", "/api/inspections")).json()["items"] == [], "it concerns neither of them"
    logged = (await world.call("alice", "GET", "/api/audit?limit=50")).json()["items"]
    actions = [entry["action"] for entry in logged if entry["userName"] == "Vera"]
    assert actions.count("inspection.began") == 1
    assert actions.count("file.inspected") == 2, "the file, and the list"
    assert "tender.txt" not in str(logged)


async def test_it_ends_by_itself_and_with_the_right(world: World) -> None:
    await auditor(world)
    private = f"/api/files/{(await make(world, 'bob', 'tender.txt')).id}"
    await begin(world)
    async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
        await uow.execute("update inspections set ends_at = $1", now() - timedelta(seconds=1))
    assert (await world.call("vera", "GET", private)).status_code == 404
    await begin(world)
    assert (await world.call("vera", "GET", private)).status_code == 200
    demoted = {"roleId": str(world.roles["lab-admin"].id)}
    await world.call("alice", "PATCH", f"/api/users/{world['vera'].user.id}", demoted)
    assert (await world.call("vera", "GET", private)).status_code == 404, "an administrator has not got the right"


async def test_who_has_not_got_the_right_cannot_begin_one_nor_can_a_token(world: World) -> None:
    await auditor(world)
    for name in ("alice", "bob", "rita", "olaf"):
        assert (await begin(world, "bob" if name != "bob" else "alice", by=name)).status_code == 404, name
    token = await world.call("vera", "POST", "/api/tokens", {"name": "x"})
    assert token.status_code in (201, 403)
    assert (await begin(world, "vera")).status_code == 422, "oneself"
    assert (
        await world.call("vera", "POST", f"/api/users/{world['zoe'].user.id}/inspections", REASON)
    ).status_code == 404
    empty = await world.call("vera", "POST", f"/api/users/{world['bob'].user.id}/inspections", {"reason": "  "})
    assert empty.status_code == 422


async def test_searches_and_answers_never_use_it(world: World) -> None:
    """Only a request of the session itself carries it: neither the principal of a run nor one of a token does."""
    await auditor(world)
    await make(world, "bob", "tender.txt")
    await begin(world)
    mandate_id, user_id = world.acme.id, world["vera"].user.id
    for_run = await world.services.sign_in.as_user(mandate_id, user_id)
    assert for_run is not None
    assert for_run.inspects == frozenset()
    listed = await world.services.files.list(for_run, world.instances["lab"].id, PageRequest(), FileFilter())
    assert listed.items == []
    mentions = await world.call("vera", "GET", lab(world, "mentions?q=tender"))
    assert "tender" not in mentions.text.replace("q=tender", "")


async def test_a_way_into_the_account_that_somebody_else_made_is_told(world: World) -> None:
    """Not an invitation: Bob has been here, and who made the link could use it."""
    path = f"/api/users/{world['bob'].user.id}/link"
    assert (await world.call("alice", "POST", path, {})).status_code == 201
    [told] = (await world.call("bob", "GET", "/api/inspections")).json()["items"]
    assert (told["inspectorName"], told["reason"]) == ("Alice", "signInLink")
    own = f"/api/users/{world['alice'].user.id}/link"
    assert (await world.call("alice", "POST", own, {})).status_code == 201
    assert (await world.call("alice", "GET", "/api/inspections")).json()["total"] == 1, "for one's own other device"


async def test_what_is_looked_into_is_not_taken_along(world: World) -> None:
    await auditor(world)
    box = await make(world, "bob", "box.zip", zipped({"a.txt": b"secret"}))
    await begin(world)
    assert (await world.call("vera", "GET", f"/api/files/{box.id}")).status_code == 200
    taken = await world.call("vera", "POST", f"/api/files/{box.id}/members/extract", {"paths": ["a.txt"]})
    assert taken.status_code == 404
    asked = {"prompt": "sum it up", "fileIds": [str(box.id)]}
    assert (await world.call("vera", "POST", lab(world, "input"), asked)).status_code in (403, 404)
