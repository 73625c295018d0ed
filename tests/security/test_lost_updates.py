"""Two people change the same thing at the same moment: both changes stay, and nobody undoes what was decided about them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.interleaving import install, interleaved, somebody_waits
from tests.security.ids import make_ids
from tests.security.routes import Route, all_routes
from tests.world import World
from workroom.core.errors import RightsChanged
from workroom.core.pages import PageRequest
from workroom.identity.objects import DATA_ACTIONS
from workroom.identity.types import Level, Principal, Rule, Status
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
    "/api/workspace/{instanceId}/companies/{companyId}",
    "/api/workspace/{instanceId}/skills/{skillId}",
    "/api/workspace/{instanceId}/studio/projects/{projectId}",
    "/api/workspace/{instanceId}/studio/projects/{projectId}/blocks/{blockId}",
    "/api/workspace/{instanceId}/studio/projects/{projectId}/personas/{personaId}",
    "/api/workspace/{instanceId}/studio/profiles/{profileId}",
    "/api/uploads/{uploadId}",
}
ROUTES = [route for route in all_routes() if route.path in CHANGES and route.method == "patch"]


@pytest.fixture
def racing(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    install(monkeypatch)
    return world


def test_every_route_that_changes_fields_is_known() -> None:
    assert {route.path for route in all_routes() if route.method == "patch"} == set(CHANGES) | OTHERWISE


@pytest.mark.parametrize("route", ROUTES, ids=str)
async def test_two_changes_at_the_same_moment_both_stay(racing: World, route: Route) -> None:
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


async def suspend(world: World) -> None:
    await world.services.users.change(
        world["alice"].principal, world["bob"].user.id, UserChange(status=Status.SUSPENDED)
    )


async def demote(world: World) -> None:
    role = world.roles["lab-reader"].id
    await world.services.users.change(world["alice"].principal, world["bob"].user.id, UserChange(role_id=role))


async def narrow_the_role(world: World) -> None:
    await world.services.roles.change(world["alice"].principal, world.roles["writers"].id, rules=[])


async def remove_from_the_workspace(world: World) -> None:
    lab = world.instances["lab"].id
    await world.services.instances.remove_member(world["alice"].principal, lab, world["bob"].user.id)


async def change_the_role_in_the_workspace(world: World) -> None:
    lab, role = world.instances["lab"].id, world.roles["lab-reader"].id
    await world.services.instances.put_member(world["alice"].principal, lab, world["bob"].user.id, role)


TAKEN = [suspend, demote, narrow_the_role, remove_from_the_workspace, change_the_role_in_the_workspace]
Taken = Callable[[World], Awaitable[None]]


@pytest.fixture
async def writers(world: World) -> World:
    """Bob has a role that can be changed."""
    alice, keys = world["alice"].principal, ("data.instance", "data.note", "data.user")
    rules = [Rule(key, action, Level.GROUP) for key in keys for action in DATA_ACTIONS]
    world.roles["writers"] = await world.services.roles.create(alice, "Writers", "", rules)
    await world.services.users.change(alice, world["bob"].user.id, UserChange(role_id=world.roles["writers"].id))
    return world


async def as_bob(world: World) -> Principal | None:
    """As a request of his would be let in."""
    return await world.services.sign_in.by_cookie(world["bob"].cookie, world["bob"].principal.client)


@pytest.mark.requirement("N1")
@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("first", ["member", "administrator"])
async def test_nobody_undoes_or_holds_up_what_is_decided_about_them(
    racing: World, writers: World, taken: Taken, first: str
) -> None:
    """The member changes their profile at the same moment."""
    before = await as_bob(racing)

    async def change() -> int:
        return (await racing.call("bob", "PATCH", "/api/me", {"theme": "dark"})).status_code

    if first == "member":
        changed, _ = await interleaved(racing.services.db, change, lambda: taken(racing))
        assert changed == 200
    else:
        _, changed = await interleaved(racing.services.db, lambda: taken(racing), change)
        assert changed == 409
    after = await as_bob(racing)
    assert before is not None
    if taken is suspend:
        assert after is None
    else:
        assert after is not None
        assert (after.rules, after.memberships) != (before.rules, before.memberships)


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("taken", TAKEN)
async def test_a_request_does_not_write_with_rights_that_were_taken_meanwhile(writers: World, taken: Taken) -> None:
    """They were read before they were taken away, and the write came after."""
    lab, bob = writers.instances["lab"].id, await as_bob(writers)
    assert bob is not None
    await writers.services.notes.write(bob, lab, "While it was allowed", "")
    await taken(writers)
    await writers.services.notes.list(bob, lab, PageRequest())  # what is only read waits for nobody
    with pytest.raises(RightsChanged):
        await writers.services.notes.write(bob, lab, "Afterwards", "")
    found = await writers.services.notes.list(writers["alice"].principal, lab, PageRequest())
    assert [note.title for note in found.items] == ["While it was allowed"]


@pytest.mark.parametrize("taken", TAKEN)
async def test_rights_are_not_taken_while_something_is_written_with_them(writers: World, taken: Taken) -> None:
    """Whoever takes them waits: the write counts as done before."""
    bob = await as_bob(writers)
    assert bob is not None
    async with writers.services.db.unit_of_work(bob.actor) as uow:
        await write(uow, bob, writers.instances["lab"].id, "Just in time", "")
        taking = asyncio.ensure_future(taken(writers))
        while not await somebody_waits(writers.services.db):
            assert not taking.done()
    await taking
