"""S6: transport × state of the account, through one authorisation function; S7: rights end where they are used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from starlette.requests import Request

from tests.security.routes import PUBLIC, Route, all_routes, private_routes
from tests.world import World, some_id
from workroom.api.events import event_stream
from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.core.pages import PageRequest
from workroom.identity.types import Client, Status
from workroom.identity.users import UserChange

Change = Callable[[World], Awaitable[None]]
STRANGERS = {
    "nobody": {},
    "forged token": {"Authorization": "Bearer wrk_forged"},
    "other scheme": {"Authorization": "Basic YTpi"},
    "forged cookie": {"Cookie": "workroom_8420=forged"},
}


@pytest.mark.requirement("N3")
@pytest.mark.parametrize("route", private_routes(), ids=str)
async def test_nobody_gets_past_the_door(shared_world: World, route: Route) -> None:
    path = route.at(**dict.fromkeys(route.parameters, some_id()))
    for who, headers in STRANGERS.items():
        answer = await shared_world.call(None, route.method, path, route.body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), who


def test_public_routes_are_exactly_the_known_ones() -> None:
    paths = {route.path for route in all_routes()}
    assert set(PUBLIC) <= paths


async def _suspend(world: World) -> None:
    change = UserChange(status=Status.SUSPENDED)
    await world.services.users.change(world["alice"].principal, world["bob"].user.id, change)


async def _delete(world: World) -> None:
    await world.services.users.delete(world["alice"].principal, world["bob"].user.id)


async def _expire(world: World) -> None:
    past = now() - timedelta(seconds=1)
    async with world.services.db.unit_of_work(SystemActor.LOGIN) as uow:
        await uow.execute("update sessions set expires_at = $1 where user_id = $2", past, world["bob"].user.id)
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.execute("update api_tokens set expires_at = $1", past)


async def _end(world: World) -> None:
    bob = world["bob"].principal
    for token in (await world.services.tokens.list(bob, PageRequest())).items:
        await world.services.tokens.revoke(bob, token.id)
    await world.services.sessions.sign_out(bob)


ENDINGS = {"suspended": _suspend, "deleted": _delete, "expired": _expire, "signed out or revoked": _end}


@pytest.mark.requirement("N3")
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
@pytest.mark.parametrize("transport", ["cookie", "token"])
async def test_an_account_that_ended_is_nobody(world: World, ending: str, transport: str) -> None:
    made = await world.services.tokens.create(world["bob"].principal, "t")
    headers = {"Authorization": f"Bearer {made.secret}"} if transport == "token" else {}
    person = "bob" if transport == "cookie" else None
    assert (await world.call(person, "GET", "/api/session", headers=headers)).status_code == 200
    await ENDINGS[ending](world)
    for path in ("/api/session", "/api/tokens", "/api/events"):
        assert (await world.call(person, "GET", path, headers=headers)).status_code == 401


async def test_a_link_made_before_a_suspension_opens_nothing(world: World) -> None:
    link = await world.services.users.link(world["alice"].principal, world["bob"].user.id)
    await _suspend(world)
    answer = await world.call(None, "POST", "/api/auth/link", {"token": link.secret})
    assert (answer.status_code, answer.json()["code"]) == (401, "linkInvalid")


@pytest.mark.parametrize("ending", ["suspended", "deleted", "signed out or revoked"])
async def test_an_open_stream_ends_with_the_right_to_it(world: World, ending: str) -> None:
    """S7, in process: the generator behind the stream, because a test transport does not stream."""
    services = world.services
    cookie = f"{services.site.cookie_name}={world['bob'].cookie}".encode()
    scope = {"type": "http", "app": world.app, "headers": [(b"cookie", cookie)], "client": ("127.0.0.1", 1)}
    stream = event_stream(Request(scope), world["bob"].principal, services)
    events: list[str] = []

    async def read() -> None:
        async for part in stream:
            events.append(part.decode())
            if b"hello" in part:
                opened.set()

    opened = asyncio.Event()
    reading = asyncio.create_task(read())
    await asyncio.wait_for(opened.wait(), 60)
    await ENDINGS[ending](world)
    await asyncio.wait_for(reading, 60)
    assert "signedOut" in events[-1]


async def test_a_token_cannot_make_credentials(world: World) -> None:
    made = await world.services.tokens.create(world["alice"].principal, "t")
    headers = {"Authorization": f"Bearer {made.secret}"}
    alice = world["alice"].user
    attempts = [
        ("POST", "/api/tokens", {"name": "successor"}),
        ("POST", f"/api/users/{alice.id}/link", None),
        ("PUT", "/api/auth/password", {"newPassword": "a new long password"}),
        ("POST", "/api/users", {"login": "eve@example.org", "displayName": "Eve", "roleId": str(alice.role_id)}),
    ]
    for method, path, body in attempts:
        answer = await world.call(None, method, path, body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "sessionRequired"), path
    assert (await world.services.users.list(world["alice"].principal, PageRequest(query="eve"))).total == 0


async def test_a_link_works_once_even_for_two_at_the_same_time(world: World) -> None:
    link = await world.services.users.link(world["alice"].principal, world["bob"].user.id)
    client = Client("127.0.0.1", "tests")
    results = await asyncio.gather(
        *(world.services.sign_in.with_link(link.secret, client) for _ in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
