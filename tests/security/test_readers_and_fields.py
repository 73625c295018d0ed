"""S8: a reader changes nothing; S9: no field a client invents is taken, and none of ours can be set from outside."""

from __future__ import annotations

import pytest

from tests.security.ids import make_ids
from tests.security.routes import Route, all_routes, mutations
from tests.world import World
from workroom.identity.objects import DATA_ACTIONS
from workroom.identity.types import Action, Level, Rule
from workroom.identity.users import UserChange

# What a reader may change is their own: profile, password, sessions.
OWN = {
    "PATCH /api/me",
    "PUT /api/instructions/user",
    "PUT /api/auth/password",
    "POST /api/auth/logout",
}
# Questions that are too long for an address.
QUESTIONS = {"POST /api/workspace/{instanceId}/knowledge/status"}


@pytest.mark.requirement("N1")
@pytest.mark.parametrize("route", [r for r in mutations() if str(r) not in OWN | QUESTIONS], ids=str)
async def test_a_reader_changes_nothing_of_others(shared_world: World, route: Route) -> None:
    ids = await make_ids(shared_world, route)
    ids |= {"instanceId": shared_world.instances["lab"].id} if "instanceId" in ids else {}
    answer = await shared_world.call("rita", route.method, route.at(**ids), route.body)
    assert answer.status_code in (403, 404), f"{answer.status_code} {answer.text}"


async def test_a_reader_still_has_a_profile(world: World) -> None:
    answer = await world.call("rita", "PATCH", "/api/me", {"language": "fr"})
    assert answer.json()["language"] == "fr"


@pytest.mark.parametrize("route", [r for r in all_routes() if r.body is not None], ids=str)
async def test_unknown_fields_are_refused(shared_world: World, route: Route) -> None:
    ids = await make_ids(shared_world, route)
    for field in ("isAdmin", "mandateId_", "userId_", "skipChecks"):
        answer = await shared_world.call("alice", route.method, route.at(**ids), {**(route.body or {}), field: True})
        assert answer.status_code == 422, answer.text
        assert field in answer.text


@pytest.mark.parametrize("field", ["status", "roleId", "login", "mandateId"])
async def test_a_profile_cannot_raise_its_owner(shared_world: World, field: str) -> None:
    value = str(shared_world.roles["lab-admin"].id)
    assert (await shared_world.call("bob", "PATCH", "/api/me", {field: value})).status_code == 422


async def test_unknown_query_parameters_are_refused(shared_world: World) -> None:
    assert (await shared_world.call("alice", "GET", "/api/users?mandateId=x")).status_code == 422


class TestNobodyGivesWhatTheyDoNotHave:
    """Escalation: by role, by membership, by link, by writing a role."""

    async def _personnel(self, world: World) -> None:
        """Bob becomes head of personnel: may manage users and members, nothing else."""
        alice = world["alice"].principal
        managed = ("data.user", "data.member", "data.role")
        rules = [Rule(key, action, Level.ALL) for key in managed for action in DATA_ACTIONS]
        rules.append(Rule("data.instance", Action.READ, Level.ALL))
        role = await world.services.roles.create(alice, "Personnel", "", rules)
        await world.services.users.change(alice, world["bob"].user.id, UserChange(role_id=role.id))

    async def test_by_taking_a_higher_role(self, world: World) -> None:
        await self._personnel(world)
        body = {"roleId": str(world.roles["lab-admin"].id)}
        assert (await world.call("bob", "PATCH", f"/api/users/{world['bob'].user.id}", body)).status_code == 403

    async def test_by_inviting_somebody_higher(self, world: World) -> None:
        await self._personnel(world)
        body = {"login": "x@example.org", "displayName": "X", "roleId": str(world.roles["lab-admin"].id)}
        assert (await world.call("bob", "POST", "/api/users", body)).status_code == 403

    async def test_by_becoming_somebody_higher_through_a_link(self, world: World) -> None:
        await self._personnel(world)
        assert (await world.call("bob", "POST", f"/api/users/{world['alice'].user.id}/link")).status_code == 403

    async def test_by_removing_or_suspending_somebody_higher(self, world: World) -> None:
        await self._personnel(world)
        alice = f"/api/users/{world['alice'].user.id}"
        assert (await world.call("bob", "DELETE", alice)).status_code == 403
        assert (await world.call("bob", "PATCH", alice, {"status": "suspended"})).status_code == 403

    async def test_by_writing_a_stronger_role(self, world: World) -> None:
        await self._personnel(world)
        body = {"name": "Mine", "rules": [{"objectKey": "data.audit", "action": "read", "level": "ALL"}]}
        assert (await world.call("bob", "POST", "/api/roles", body)).status_code == 403

    async def test_by_membership_with_a_stronger_role(self, world: World) -> None:
        await self._personnel(world)
        path = f"/api/instances/{world.instances['lab'].id}/members/{world['bob'].user.id}"
        assert (await world.call("bob", "PUT", path, {"roleId": str(world.roles["lab-admin"].id)})).status_code == 403

    async def test_but_what_one_has_can_be_given(self, world: World) -> None:
        await self._personnel(world)
        narrow = {"name": "Narrow", "rules": [{"objectKey": "data.user", "action": "read", "level": "GROUP"}]}
        role = (await world.call("bob", "POST", "/api/roles", narrow)).json()
        body = {"login": "x@example.org", "displayName": "X", "roleId": role["id"]}
        assert (await world.call("bob", "POST", "/api/users", body)).status_code == 201


class TestIdsInBodies:
    """S5: an id of another mandate in a body is an id that does not exist."""

    async def test_roles(self, world: World) -> None:
        foreign = str(world.roles["lab-member"].id)
        body = {"login": "x@example.org", "displayName": "X", "roleId": foreign}
        assert (await world.call("zoe", "POST", "/api/users", body)).status_code == 422
        assert (
            await world.call("zoe", "PATCH", f"/api/users/{world['yann'].user.id}", {"roleId": foreign})
        ).status_code == 422

    async def test_members(self, world: World) -> None:
        path = f"/api/instances/{world.instances['den'].id}/members"
        assert (await world.call("zoe", "PUT", f"{path}/{world['bob'].user.id}", {})).status_code == 404
        body = {"roleId": str(world.roles["lab-member"].id)}
        assert (await world.call("zoe", "PUT", f"{path}/{world['yann'].user.id}", body)).status_code == 422

    async def test_instances(self, world: World) -> None:
        body = {"name": "t", "instanceId": str(world.instances["lab"].id)}
        assert (await world.call("zoe", "POST", "/api/tokens", body)).status_code == 422

    async def test_mandates_at_the_door(self, world: World) -> None:
        body = {"login": "zoe@example.org", "password": "x", "mandateId": str(world.acme.id)}
        assert (await world.call(None, "POST", "/api/auth/login", body)).status_code == 401
