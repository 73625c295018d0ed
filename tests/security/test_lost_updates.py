"""Two people change the same thing at the same moment: both changes stay, and nobody undoes what was decided about them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.interleaving import install, interleaved, somebody_waits
from tests.security.routes import all_routes
from tests.security.test_foreign_ids import make_ids
from tests.world import World
from workroom.core.errors import RightsChanged
from workroom.core.ids import new_id
from workroom.core.pages import PageRequest
from workroom.identity.mandates import operator
from workroom.identity.objects import DATA_ACTIONS
from workroom.identity.types import Level, Rule, Status
from workroom.identity.users import UserChange
from workroom.notes.service import write

Body = dict[str, Any]
# Of every route that changes some fields and leaves the others: two changes of the same thing that have no field in common.
CHANGES: dict[str, tuple[Body, Body]] = {
    "/api/me": ({"language": "fr"}, {"theme": "dark"}),
    "/api/users/{userId}": ({"displayName": "Other"}, {"status": "suspended"}),
    "/api/roles/{roleId}": (
        {"description": "Other"},
        {"rules": [{"objectKey": "data.note", "action": "read", "level": "MY"}]},
    ),
    "/api/instances/{instanceId}": ({"name": "Other"}, {"status": "archived"}),
    "/api/model-providers/{providerId}": ({"label": "Other"}, {"enabled": False}),
    "/api/workspace/{instanceId}/notes/{noteId}": ({"title": "Other"}, {"text": "Other"}),
    "/api/workspace/{instanceId}/todos/{todoId}": ({"title": "Other"}, {"done": True}),
    "/api/files/{fileId}": ({"description": "Other"}, {"visibility": "GROUP"}),
    "/api/folders/{folderId}": ({"name": "Other"}, {"autoRule": "tag:other"}),
}
# One field, or a version that the change was made from, or bytes.
OTHERWISE = {
    "/api/mandate",
    "/api/workspace/{instanceId}/conversations/{workflowId}",
    "/api/instances/{instanceId}/agents/{agentId}",
    "/api/uploads/{uploadId}",
}
ROUTES = [route for route in all_routes() if route.path in CHANGES and route.method == "patch"]


@pytest.fixture
def racing(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    install(monkeypatch)
    return world


def test_every_route_that_changes_fields_is_known() -> None:
    assert {route.path for route in all_routes() if route.method == "patch"} == set(CHANGES) | OTHERWISE


@pytest.mark.requirement("N3")
@pytest.mark.parametrize("route", ROUTES, ids=str)
async def test_two_changes_at_the_same_moment_both_stay(racing: World, route: Any) -> None:
    ids = await make_ids(racing, route) | ({"userId": racing["bob"].user.id} if "userId" in route.parameters else {})
    path, (one, other) = route.at(**ids), CHANGES[route.path]
    answers = await interleaved(
        racing.services.db,
        lambda: racing.call("alice", "PATCH", path, one),
        lambda: racing.call("alice", "PATCH", path, other),
    )
    assert [answer.status_code for answer in answers] == [200, 200], [answer.text for answer in answers]
    found = (await racing.call("alice", "PATCH", path, {})).json()
    wanted = one | other
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.requirement("N3")
@pytest.mark.parametrize(
    ("decided", "field"), [({"status": "suspended"}, "status"), ({"roleId": "lab-reader"}, "roleId")]
)
@pytest.mark.parametrize("first", ["member", "administrator"])
async def test_nobody_undoes_what_is_decided_about_them(racing: World, decided: Body, field: str, first: str) -> None:
    wanted = {name: str(racing.roles[value].id) if name == "roleId" else value for name, value in decided.items()}
    bob = f"/api/users/{racing['bob'].user.id}"

    async def decide() -> int:
        return (await racing.call("alice", "PATCH", bob, wanted)).status_code

    async def change() -> int:
        return (await racing.call("bob", "PATCH", "/api/me", {"theme": "dark"})).status_code

    if first == "member":
        changed, done = await interleaved(racing.services.db, change, decide)
        assert changed == 200
    else:
        done, changed = await interleaved(racing.services.db, decide, change)
        assert changed == 409
    assert done == 200
    assert (await racing.call("alice", "GET", bob)).json()[field] == wanted[field]


async def suspend(world: World) -> None:
    await world.services.users.change(
        world["alice"].principal, world["bob"].user.id, UserChange(status=Status.SUSPENDED)
    )


async def demote(world: World) -> None:
    role = world.roles["lab-reader"].id
    await world.services.users.change(world["alice"].principal, world["bob"].user.id, UserChange(role_id=role))


async def narrow_the_role(world: World) -> None:
    [role] = [one for one in await _roles(world) if one.name == "Writers"]
    await world.services.roles.change(world["alice"].principal, role.id, rules=[])


async def remove_from_the_workspace(world: World) -> None:
    await world.services.instances.remove_member(
        world["alice"].principal, world.instances["lab"].id, world["bob"].user.id
    )


async def change_the_role_in_the_workspace(world: World) -> None:
    await world.services.instances.put_member(
        world["alice"].principal, world.instances["lab"].id, world["bob"].user.id, world.roles["lab-reader"].id
    )


async def _roles(world: World) -> Any:
    return (await world.services.roles.list(operator(world.acme.id), PageRequest())).items


@pytest.mark.requirement("N3")
@pytest.mark.parametrize(
    "taken", [suspend, demote, narrow_the_role, remove_from_the_workspace, change_the_role_in_the_workspace]
)
async def test_a_request_does_not_write_with_rights_that_were_taken_meanwhile(world: World, taken: Any) -> None:
    """They were read before they were taken away, and the write came after."""
    alice, lab = world["alice"].principal, world.instances["lab"].id
    if taken is narrow_the_role:
        rules = [Rule(key, action, Level.GROUP) for key in ("data.instance", "data.note") for action in DATA_ACTIONS]
        role = await world.services.roles.create(alice, "Writers", "", rules)
        await world.services.users.change(alice, world["bob"].user.id, UserChange(role_id=role.id))
    before = await world.services.sign_in.by_cookie(world["bob"].cookie, world["bob"].principal.client)
    assert before is not None
    await world.services.notes.write(before, lab, "While it was allowed", "")
    await taken(world)
    with pytest.raises(RightsChanged) as refused:
        await world.services.notes.write(before, lab, f"Afterwards {new_id()}", "")
    assert refused.value.code == "rightsChanged"
    found = await world.services.notes.list(alice, lab, PageRequest())
    assert [note.title for note in found.items] == ["While it was allowed"]


async def test_rights_are_not_taken_while_something_is_written_with_them(world: World) -> None:
    """Whoever takes them waits: the write counts as done before."""
    bob = await world.services.sign_in.by_cookie(world["bob"].cookie, world["bob"].principal.client)
    assert bob is not None
    async with world.services.db.unit_of_work(bob.actor) as uow:
        await write(uow, bob, world.instances["lab"].id, "Just in time", "")
        suspending = asyncio.create_task(suspend(world))
        while not await somebody_waits(world.services.db):
            assert not suspending.done()
    await suspending
    assert await world.services.sign_in.by_cookie(world["bob"].cookie, bob.client) is None
