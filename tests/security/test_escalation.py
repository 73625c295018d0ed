"""Ways up and around: each was once possible, or looked as if it might be."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import Counter
from contextlib import ExitStack

import pytest

from tests.identity.password_users import PASSWORD, give_password
from tests.interaction.talking import ask
from tests.world import World, sign_in
from workroom.core.errors import Conflict, TooManyRequests, Unauthenticated, WorkroomError
from workroom.core.pages import PageRequest
from workroom.identity.mandates import operator
from workroom.identity.types import Action, Client, Level, Rule, Status
from workroom.identity.users import UserChange

HERE = Client("127.0.0.1", "tests")


class TestAWorkspaceIsNotTheMandate:
    """Bob administers the workspace Lab, and nothing else."""

    async def _promote(self, world: World) -> str:
        lab = world.instances["lab"].id
        admin = world.roles["lab-admin"].id
        await world.services.instances.put_member(world["alice"].principal, lab, world["bob"].user.id, admin)
        return f"/api/users/{world['rita'].user.id}"

    @pytest.mark.parametrize(
        ("method", "end", "body"),
        [
            ("POST", "/link", None),
            ("PATCH", "", {"status": "suspended"}),
            ("PATCH", "", {"displayName": "Renamed"}),
            ("DELETE", "", None),
        ],
    )
    async def test_its_administrator_cannot_touch_accounts(
        self, world: World, method: str, end: str, body: dict[str, str] | None
    ) -> None:
        rita = await self._promote(world)
        assert (await world.call("bob", "GET", rita)).status_code == 200
        assert (await world.call("bob", method, rita + end, body)).status_code == 403

    async def test_but_administers_its_members(self, world: World) -> None:
        await self._promote(world)
        path = f"/api/instances/{world.instances['lab'].id}/members/{world['rita'].user.id}"
        assert (await world.call("bob", "DELETE", path)).status_code == 204


async def _lead(world: World) -> None:
    """Bob may manage the people he works with; Rita administers another workspace."""
    services, alice = world.services, world["alice"].principal
    rules = [Rule("data.user", action, Level.GROUP) for action in (Action.READ, Action.UPDATE, Action.DELETE)]
    rules += [Rule("data.instance", Action.READ, Level.GROUP), Rule("data.member", Action.DELETE, Level.GROUP)]
    rules += [rule for rule in world.roles["lab-reader"].rules if rule.object_key not in ("data.user", "data.instance")]
    lead = await services.roles.create(alice, "Lead", "", rules)
    await services.users.change(alice, world["bob"].user.id, UserChange(role_id=lead.id))
    other = await services.instances.create(alice, "Other")
    await services.instances.put_member(alice, other.id, world["rita"].user.id, world.roles["lab-admin"].id)
    lab = world.instances["lab"].id
    await services.instances.put_member(alice, lab, world["rita"].user.id, world.roles["lab-admin"].id)


async def test_a_link_is_no_way_into_somebody_elses_workspace_role(world: World) -> None:
    await _lead(world)
    rita = f"/api/users/{world['rita'].user.id}"
    assert (await world.call("bob", "POST", f"{rita}/link")).status_code == 403
    assert (await world.call("bob", "PATCH", rita, {"status": "suspended"})).status_code == 403
    assert (await world.call("bob", "DELETE", rita)).status_code == 403


async def test_somebody_above_cannot_be_removed_from_a_workspace(world: World) -> None:
    await _lead(world)
    path = f"/api/instances/{world.instances['lab'].id}/members/{world['rita'].user.id}"
    assert (await world.call("bob", "DELETE", path)).status_code == 403


@pytest.mark.parametrize("name", ["bob", "rita"])
async def test_nobody_suspends_themselves_by_accident_or_by_a_leaked_token(world: World, name: str) -> None:
    body = {"status": "suspended"}
    assert (await world.call(name, "PATCH", f"/api/users/{world[name].user.id}", body)).status_code in (403, 404)


async def test_guesses_made_at_the_same_moment_are_counted_too(world: World) -> None:
    await give_password(world, "bob")
    guesses = (world.services.sign_in.with_password("bob@example.org", f"wrong {n}", None, HERE) for n in range(40))
    outcomes = Counter(type(outcome) for outcome in await asyncio.gather(*guesses, return_exceptions=True))
    assert outcomes == {Unauthenticated: 10, TooManyRequests: 30}


async def test_the_current_password_cannot_be_guessed_without_end(world: World) -> None:
    await give_password(world, "bob")
    body = {"currentPassword": "wrong wrong", "newPassword": "another password"}
    codes = [(await world.call("bob", "PUT", "/api/auth/password", body)).status_code for _ in range(12)]
    assert codes == [422] * 10 + [429] * 2


@pytest.mark.parametrize("prefix", ["2001:db8:1:2::", "::ffff:10.0.0."])
async def test_addresses_of_one_network_count_as_one(world: World, prefix: str) -> None:
    codes = []
    for number in range(1, 13):
        address = f"{prefix}{number:x}" if prefix.startswith("2001") else f"{prefix}7"
        with pytest.raises(WorkroomError) as caught:
            await world.services.sign_in.with_password("bob@example.org", "x", None, Client(address))
        codes.append(caught.value.status)
    assert codes == [401] * 10 + [429] * 2


async def test_others_guesses_do_not_lock_out_somebody_who_is_signed_in_here(world: World) -> None:
    await give_password(world, "bob")
    sign_in_service = world.services.sign_in
    for number in range(11):
        for _ in range(10):
            with pytest.raises(WorkroomError):
                await sign_in_service.with_password("bob@example.org", "x", None, Client(f"10.0.0.{number}"))
    with pytest.raises(TooManyRequests):
        await sign_in_service.with_password("bob@example.org", PASSWORD, None, Client("10.9.9.9"))
    assert await sign_in_service.with_password("bob@example.org", PASSWORD, None, HERE)


@pytest.mark.parametrize("how", ["password", "suspension"])
async def test_links_do_not_outlive_a_new_password_or_a_suspension(world: World, how: str) -> None:
    services, bob, alice = world.services, world["bob"], world["alice"].principal
    link = await services.users.link(alice, bob.user.id)
    if how == "password":
        await give_password(world, "bob")
    else:
        for status in (Status.SUSPENDED, Status.ACTIVE):
            await services.users.change(alice, bob.user.id, UserChange(status=status))
    with pytest.raises(Unauthenticated):
        await services.sign_in.with_link(link.secret, HERE)


async def test_a_password_that_was_changed_while_it_was_compared_lets_nobody_in(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await give_password(world, "bob")
    passwords = world.services.sign_in._passwords
    verify = type(passwords).verify

    async def slow(self: object, password: str, stored: str | None) -> bool:
        matches = await verify(self, password, stored)  # type: ignore[arg-type]
        await world.services.users.set_password(operator(world.acme.id), world["bob"].user.id, "quite another one")
        return matches

    monkeypatch.setattr(type(passwords), "verify", slow)
    with pytest.raises(Unauthenticated):
        await world.services.sign_in.with_password("bob@example.org", PASSWORD, None, HERE)


@pytest.mark.parametrize("cursor", [["\x00", "x"], ["\ud800", "x"], ["x", "\x00"], ["x", "\udfff"], [1, "x"], ["x"]])
@pytest.mark.parametrize("path", ["users", "roles", "instances", "tokens", "sessions", "audit"])
async def test_hand_made_cursors_are_the_clients_error(shared_world: World, path: str, cursor: list[object]) -> None:
    text = base64.urlsafe_b64encode(json.dumps(cursor).encode()).decode()
    assert (await shared_world.call("alice", "GET", f"/api/{path}?cursor={text}")).status_code == 422


@pytest.mark.parametrize("key", ["model.\x00", "model.\ud800", "model. x", "model.", ".", "data.*.*"])
async def test_odd_keys_of_rules_are_refused(shared_world: World, key: str) -> None:
    body = {"name": "x", "rules": [{"objectKey": key, "action": "use", "level": "ALL"}]}
    async with shared_world.client("alice") as client:
        content = json.dumps(body).encode()
        answer = await client.post("/api/roles", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize("login", ["admin\u200b", "zz\x7f", "a\u202eb", "ad\u2060min"])
async def test_logins_that_only_look_like_others_are_refused(shared_world: World, login: str) -> None:
    body = {"login": login, "displayName": "X", "roleId": str(shared_world.roles["lab-member"].id)}
    assert (await shared_world.call("alice", "POST", "/api/users", body)).status_code == 422


async def test_whoever_comes_second_gets_a_conflict_not_a_crash(world: World) -> None:
    services, alice = world.services, world["alice"].principal
    rooms = [await services.instances.create(alice, f"Room {n}") for n in range(6)]
    renamed = (services.instances.change(alice, room.id, slug="same") for room in rooms)
    outcomes = await asyncio.gather(*renamed, return_exceptions=True)
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 5
    made = await asyncio.gather(*(services.instances.create(alice, "Twin") for _ in range(6)))
    assert len({room.slug for room in made}) == 6


async def test_a_role_without_rules_still_lets_its_owner_in_and_out(world: World) -> None:
    services, alice, bob = world.services, world["alice"].principal, world["bob"]
    made = await services.tokens.create(bob.principal, "mine")
    empty = await services.roles.create(alice, "Nothing", "", [])
    await services.users.change(alice, bob.user.id, UserChange(role_id=empty.id))
    await services.instances.remove_member(alice, world.instances["lab"].id, bob.user.id)
    await sign_in(world, "bob", operator(world.acme.id), bob.user)
    assert (await world.call("bob", "GET", "/api/session")).json()["role"]["name"] == "Nothing"
    assert (await world.call("bob", "GET", "/api/tokens")).json()["total"] == 1
    assert (await world.call("bob", "DELETE", f"/api/tokens/{made.token.id}")).status_code == 204
    assert (await world.call("bob", "GET", "/api/instances")).json()["total"] == 0
    assert [u["login"] for u in (await world.call("bob", "GET", "/api/users")).json()["items"]] == ["bob@example.org"]
    assert (await world.call("bob", "POST", "/api/auth/logout")).status_code == 204
    assert (await world.call("bob", "GET", "/api/session")).status_code == 401


async def test_one_person_cannot_hold_streams_without_end(world: World) -> None:
    streams, bob = world.services.streams, world["bob"]
    run_id = (await ask(world, "hello"))["runId"]
    with ExitStack() as stack:
        for _ in range(world.services.settings.streams_per_person):
            stack.enter_context(streams.hold(bob.user.id))
        for stream in ("/api/events", f"/api/runs/{run_id}/events"):
            refused = await world.call("bob", "GET", stream)
            assert (refused.status_code, refused.json()["code"]) == (429, "tooManyStreams")
            assert int(refused.headers["retry-after"]) > 0
        with streams.hold(world["alice"].user.id):
            assert (await world.services.users.list(bob.principal, PageRequest())).total > 0
