"""Users, roles and workspaces: what changes, what stays possible, and what history says."""

from __future__ import annotations

import asyncio

import pytest

from tests.world import World
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.identity.types import Action, InstanceStatus, Level, Rule, Status
from workroom.identity.users import UserChange


async def test_there_is_always_an_administrator(world: World) -> None:
    services, alice = world.services, world["alice"]
    member = world.roles["lab-member"].id
    for change in (UserChange(status=Status.SUSPENDED), UserChange(role_id=member)):
        with pytest.raises(Conflict) as caught:
            await services.users.change(alice.principal, alice.user.id, change)
        assert caught.value.code == "lastAdmin"
    with pytest.raises(Conflict):
        await services.users.delete(alice.principal, alice.user.id)


async def test_two_administrators_cannot_both_leave_at_the_same_time(world: World) -> None:
    services, alice, bob = world.services, world["alice"], world["bob"]
    await services.users.change(alice.principal, bob.user.id, UserChange(role_id=world.roles["lab-admin"].id))
    both = await asyncio.gather(
        *(services.users.change(alice.principal, u.user.id, UserChange(status=Status.SUSPENDED)) for u in (alice, bob)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Conflict) for result in both) == 1


async def test_a_login_is_taken_once_per_mandate_and_the_other_mandate_knows_nothing(world: World) -> None:
    body = {"login": "BOB@example.org", "displayName": "Bob", "roleId": str(world.roles["lab-member"].id)}
    answer = await world.call("alice", "POST", "/api/users", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "loginTaken")
    elsewhere = body | {"roleId": str(world.roles["den-member"].id)}
    assert (await world.call("zoe", "POST", "/api/users", elsewhere)).status_code == 201


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "a\x00b", "a\u202eb"])
async def test_names_are_printable_and_of_a_length(world: World, name: str) -> None:
    assert (await world.call("alice", "PATCH", "/api/me", {"displayName": name})).status_code == 422


@pytest.mark.requirement("N1")
async def test_members_see_the_people_they_work_with_and_no_others(world: World) -> None:
    seen = {user.login for user in (await world.services.users.list(world["bob"].principal, PageRequest())).items}
    assert seen == {"alice@example.org", "bob@example.org", "rita@example.org"}
    alone = (await world.services.users.list(world["olaf"].principal, PageRequest())).items
    assert [user.login for user in alone] == ["olaf@example.org"]
    everybody = await world.services.users.list(world["alice"].principal, PageRequest())
    assert everybody.total == 4


@pytest.mark.requirement("N1")
async def test_a_role_in_a_workspace_counts_inside_it(world: World) -> None:
    services, alice, lab = world.services, world["alice"].principal, world.instances["lab"].id
    other = await services.instances.create(alice, "Other")
    await services.instances.put_member(alice, lab, world["bob"].user.id, world.roles["lab-admin"].id)
    answer = await world.call("bob", "PATCH", f"/api/instances/{lab}", {"name": "Renamed by Bob"})
    assert answer.json()["name"] == "Renamed by Bob"
    assert (await world.call("bob", "PATCH", f"/api/instances/{other.id}", {"name": "x"})).status_code == 404
    assert (await world.call("bob", "PATCH", "/api/mandate", {"name": "x"})).status_code == 403


async def test_a_workspace_is_archived_before_it_is_deleted_and_archiving_can_be_undone(world: World) -> None:
    services, alice = world.services, world["alice"].principal
    made = await services.instances.create(alice, "Läden & Löhne")
    assert made.slug == "laeden-loehne"
    with pytest.raises(Conflict) as caught:
        await services.instances.delete(alice, made.id)
    assert caught.value.code == "notArchived"
    await services.instances.change(alice, made.id, status=InstanceStatus.ARCHIVED)
    restored = await services.instances.change(alice, made.id, status=InstanceStatus.ACTIVE)
    assert restored.status is InstanceStatus.ACTIVE
    await services.instances.change(alice, made.id, status=InstanceStatus.ARCHIVED)
    await services.instances.delete(alice, made.id)
    with pytest.raises(NotFound):
        await services.instances.get(alice, made.id)


async def test_slugs_are_found_for_any_name_and_never_shared(world: World) -> None:
    services, alice = world.services, world["alice"].principal
    names = [await services.instances.create(alice, name) for name in ("东京", "Lab", "Lab", "!!!")]
    assert [instance.slug for instance in names] == ["workspace", "lab-2", "lab-3", "workspace-2"]
    with pytest.raises(Conflict) as caught:
        await services.instances.change(alice, names[0].id, slug="lab")
    assert caught.value.code == "slugTaken"
    with pytest.raises(InvalidInput):
        await services.instances.change(alice, names[0].id, slug="../x")


async def test_a_role_in_use_stays_and_builtin_roles_stay_as_they_are(world: World) -> None:
    services, alice = world.services, world["alice"].principal
    role = await services.roles.create(alice, "Helper", "", [Rule("data.user", Action.READ, Level.GROUP)])
    await services.users.change(alice, world["bob"].user.id, UserChange(role_id=role.id))
    with pytest.raises(Conflict) as caught:
        await services.roles.delete(alice, role.id)
    assert caught.value.code == "roleInUse"
    await services.users.change(alice, world["bob"].user.id, UserChange(role_id=world.roles["lab-member"].id))
    await services.roles.delete(alice, role.id)
    for change in (
        services.roles.delete(alice, world.roles["lab-admin"].id),
        services.roles.change(alice, world.roles["lab-admin"].id, "x"),
    ):
        with pytest.raises(Conflict) as caught:
            await change
        assert caught.value.code == "roleBuiltin"


@pytest.mark.parametrize(
    "rule",
    [
        {"objectKey": "data.nothing", "action": "read", "level": "ALL"},
        {"objectKey": "data.audit", "action": "delete", "level": "ALL"},
        {"objectKey": "service.agent", "action": "use", "level": "MY"},
    ],
)
async def test_rules_speak_only_of_what_exists(world: World, rule: dict[str, str]) -> None:
    answer = await world.call("alice", "POST", "/api/roles", {"name": "x", "rules": [rule]})
    assert answer.status_code == 422


async def test_a_changed_role_counts_from_the_next_request_on(world: World) -> None:
    services, alice = world.services, world["alice"].principal
    role = await services.roles.create(alice, "Auditor", "", [Rule("data.audit", Action.READ, Level.ALL)])
    await services.users.change(alice, world["bob"].user.id, UserChange(role_id=role.id))
    assert (await world.call("bob", "GET", "/api/audit")).status_code == 200
    await services.roles.change(alice, role.id, rules=[])
    assert (await world.call("bob", "GET", "/api/audit")).status_code == 404


async def test_history_tells_who_did_what(world: World) -> None:
    await world.call("alice", "PATCH", f"/api/users/{world['bob'].user.id}", {"status": "suspended"})
    entries = (await world.call("alice", "GET", "/api/audit?order=desc&limit=1")).json()["items"]
    assert entries[0]["action"] == "user.updated"
    assert entries[0]["userName"] == "Alice"
    assert entries[0]["details"] == {"status": "suspended", "login": "bob@example.org"}
    assert entries[0]["objectId"] == str(world["bob"].user.id)


async def test_history_is_not_about_how_people_like_the_pages_to_look(world: World) -> None:
    before = (await world.call("alice", "GET", "/api/audit")).json()["total"]
    await world.call("bob", "PATCH", "/api/me", {"theme": "dark"})
    await world.call("bob", "PATCH", "/api/me", {"language": "fr"})
    assert (await world.call("alice", "GET", f"/api/users/{world['bob'].user.id}")).json()["theme"] == "dark"
    assert (await world.call("alice", "GET", "/api/audit")).json()["total"] == before
    await world.call("bob", "PATCH", "/api/me", {"theme": "light", "displayName": "Robert"})
    entry = (await world.call("alice", "GET", "/api/audit?order=desc&limit=1")).json()["items"][0]
    assert entry["details"] == {"display_name": "Robert", "login": "bob@example.org"}


async def test_history_keeps_the_name_of_somebody_who_is_gone(world: World) -> None:
    services = world.services
    await services.users.change(
        world["alice"].principal, world["bob"].user.id, UserChange(role_id=world.roles["lab-admin"].id)
    )
    await world.call("bob", "PATCH", "/api/me", {"displayName": "Robert"})
    await services.users.delete(world["alice"].principal, world["bob"].user.id)
    names = [e["userName"] for e in (await world.call("alice", "GET", "/api/audit?limit=200")).json()["items"]]
    assert "Bob" in names


async def test_lists_page_sort_and_search_over_http(world: World) -> None:
    first = (await world.call("alice", "GET", "/api/users?limit=2&sort=displayName")).json()
    assert [user["displayName"] for user in first["items"]] == ["Alice", "Bob"]
    assert first["total"] == 4
    second = (
        await world.call("alice", "GET", f"/api/users?limit=2&sort=displayName&cursor={first['nextCursor']}")
    ).json()
    assert [user["displayName"] for user in second["items"]] == ["Olaf", "Rita"]
    assert second["nextCursor"] is None
    found = (await world.call("alice", "GET", "/api/users?q=RIT")).json()
    assert [user["displayName"] for user in found["items"]] == ["Rita"]
