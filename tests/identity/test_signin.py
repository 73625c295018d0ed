"""Getting in: links, passwords, sessions, and being slowed down."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.identity.password_users import PASSWORD, give_password
from tests.world import World
from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, TooManyRequests, Unauthenticated
from workroom.core.pages import PageRequest
from workroom.identity.jobs import remove_expired
from workroom.identity.mandates import operator
from workroom.identity.passwords import Passwords
from workroom.identity.types import Client, Principal, Status
from workroom.identity.users import UserChange

HERE, ELSEWHERE = Client("127.0.0.1", "tests"), Client("127.0.0.2", "tests")


@pytest.mark.requirement("N3")
async def test_a_password_lets_its_owner_in(world: World) -> None:
    await give_password(world, "bob")
    signed_in = await world.services.sign_in.with_password(" BOB@example.org ", PASSWORD, None, HERE)
    assert signed_in.principal.user_id == world["bob"].user.id
    found = await world.services.sign_in.by_cookie(signed_in.cookie, HERE)
    assert found is not None
    assert found.session_id == signed_in.principal.session_id


@pytest.mark.parametrize("login", ["bob@example.org", "nobody@example.org", "alice@example.org", "a b", "", "x" * 500])
async def test_everything_wrong_gets_the_same_answer(world: World, login: str) -> None:
    """Wrong password, unknown login, no password at all, impossible login: nobody learns who exists."""
    await give_password(world, "bob")
    with pytest.raises(Unauthenticated) as caught:
        await world.services.sign_in.with_password(login, "something else", None, HERE)
    assert (caught.value.code, caught.value.message) == ("wrongCredentials", "Login or password is not right.")


@pytest.mark.requirement("N3")
async def test_ten_wrong_passwords_and_the_right_one_has_to_wait(world: World) -> None:
    await give_password(world, "bob")
    sign_in = world.services.sign_in
    for _ in range(10):
        with pytest.raises(Unauthenticated):
            await sign_in.with_password("bob@example.org", "wrong wrong wrong", None, HERE)
    with pytest.raises(TooManyRequests) as caught:
        await sign_in.with_password("bob@example.org", PASSWORD, None, HERE)
    assert 0 < caught.value.retry_after <= 901
    # Somebody who guesses from elsewhere does not lock the owner out at home.
    assert await sign_in.with_password("bob@example.org", PASSWORD, None, ELSEWHERE)
    # And it passes.
    async with world.services.db.unit_of_work(SystemActor.LOGIN) as uow:
        await uow.execute("delete from login_attempts")
    assert await sign_in.with_password("bob@example.org", PASSWORD, None, HERE)


async def test_the_answer_over_http_says_when_to_come_back(world: World) -> None:
    for _ in range(10):
        await world.call(None, "POST", "/api/auth/login", {"login": "bob", "password": "wrong"})
    answer = await world.call(None, "POST", "/api/auth/login", {"login": "bob", "password": "wrong"})
    assert (answer.status_code, answer.json()["code"]) == (429, "tooManyAttempts")
    assert int(answer.headers["retry-after"]) == answer.json()["details"]["retryAfter"]


@pytest.mark.requirement("N1")
async def test_the_same_login_in_two_mandates_is_two_people(world: World) -> None:
    services, zeta = world.services, operator(world.zeta.id)
    twin = await services.users.create(zeta, "bob@example.org", "Other Bob", world.roles["den-member"].id)
    await services.users.set_password(zeta, twin.id, PASSWORD)
    await give_password(world, "bob", "quite another password")
    one = await services.sign_in.with_password("bob@example.org", PASSWORD, None, HERE)
    assert one.principal.mandate_id == world.zeta.id
    await give_password_again(world, PASSWORD)
    with pytest.raises(Conflict) as caught:
        await services.sign_in.with_password("bob@example.org", PASSWORD, None, HERE)
    assert {choice["name"] for choice in caught.value.details["mandates"]} == {"Acme", "Zeta"}
    chosen = await services.sign_in.with_password("bob@example.org", PASSWORD, world.acme.id, HERE)
    assert chosen.principal.mandate_id == world.acme.id


async def give_password_again(world: World, password: str) -> None:
    await world.services.users.set_password(operator(world.acme.id), world["bob"].user.id, password)


async def test_a_suspended_person_is_not_let_in_by_the_right_password(world: World) -> None:
    await give_password(world, "bob")
    change = UserChange(status=Status.SUSPENDED)
    await world.services.users.change(world["alice"].principal, world["bob"].user.id, change)
    with pytest.raises(Unauthenticated):
        await world.services.sign_in.with_password("bob@example.org", PASSWORD, None, HERE)


@pytest.mark.parametrize(
    ("weak", "code"),
    [
        ("short", "weakPassword"),
        ("x" * 300, "weakPassword"),
        ("aaaaaaaaaaaa", "patternPassword"),
        ("bob@example.org", "personalPassword"),
        ("Acme-2026-Bob", "personalPassword"),
        ("Sommer2026!", "commonPassword"),
    ],
)
async def test_weak_passwords_are_refused_and_not_repeated(world: World, weak: str, code: str) -> None:
    answer = await world.call("bob", "PUT", "/api/auth/password", {"newPassword": weak})
    assert (answer.status_code, answer.json()["code"]) == (422, code) or len(weak) > 256
    assert weak not in answer.text
    with pytest.raises(InvalidInput) as caught:
        await world.services.users.set_password(operator(world.acme.id), world["bob"].user.id, weak)
    assert caught.value.code == code


async def test_somebody_with_a_password_that_is_common_today_gets_in_and_is_hashed_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workroom.identity.users.require_strong", lambda *_: None)
    await give_password(world, "bob", "Sommer2026!")
    monkeypatch.setattr(Passwords, "needs_rehash", lambda _: True)
    assert await world.services.sign_in.with_password("bob@example.org", "Sommer2026!", None, HERE)


async def open_link(world: World, by: Principal) -> Principal:
    link = await world.services.users.link(by, world["bob"].user.id)
    return (await world.services.sign_in.with_link(link.secret, HERE)).principal


async def test_a_link_from_an_administrator_lets_a_forgotten_password_be_set_once(world: World) -> None:
    services, bob = world.services, world["bob"]
    await give_password(world, "bob")
    came = await open_link(world, world["alice"].principal)
    assert await services.users.may_reset(came)
    await services.users.set_password(came, bob.user.id, "a brand new password")
    assert await services.sign_in.by_cookie(bob.cookie, HERE) is None
    assert not await services.users.may_reset(came)
    with pytest.raises(InvalidInput, match="current password"):
        await services.users.set_password(came, bob.user.id, "another brand new one")


async def test_a_link_for_ones_own_device_does_not_replace_the_password(world: World) -> None:
    await give_password(world, "bob")
    came = await open_link(world, world["bob"].principal)
    with pytest.raises(InvalidInput, match="current password"):
        await world.services.users.set_password(came, world["bob"].user.id, "a brand new password")


async def test_the_time_to_set_a_password_by_link_is_short(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await give_password(world, "bob")
    monkeypatch.setattr("workroom.identity.signin.RESET_WITHIN", timedelta(0))
    came = await open_link(world, world["alice"].principal)
    with pytest.raises(InvalidInput, match="current password"):
        await world.services.users.set_password(came, world["bob"].user.id, "a brand new password")


async def test_changing_a_password_needs_the_old_one_and_ends_other_sessions(world: World) -> None:
    services, bob = world.services, world["bob"]
    await give_password(world, "bob")
    other = await services.sign_in.with_password("bob@example.org", PASSWORD, None, HERE)
    with pytest.raises(InvalidInput, match="current password"):
        await services.users.set_password(bob.principal, bob.user.id, "a brand new password", "not the old one")
    assert await services.sign_in.by_cookie(other.cookie, HERE)
    await services.users.set_password(bob.principal, bob.user.id, "a brand new password", PASSWORD)
    assert await services.sign_in.by_cookie(other.cookie, HERE) is None
    assert await services.sign_in.by_cookie(bob.cookie, HERE)


async def test_administrators_do_not_set_other_peoples_passwords(world: World) -> None:
    answer = await world.call("alice", "PUT", "/api/auth/password", {"newPassword": PASSWORD, "currentPassword": None})
    assert answer.status_code == 204
    with pytest.raises(Exception, match="owner"):
        await world.services.users.set_password(world["alice"].principal, world["bob"].user.id, PASSWORD)


async def test_an_expired_link_opens_nothing_and_is_used_up(world: World) -> None:
    link = await world.services.users.link(world["alice"].principal, world["bob"].user.id, timedelta(seconds=-1))
    for _ in range(2):
        with pytest.raises(Unauthenticated, match="used or has expired"):
            await world.services.sign_in.with_link(link.secret, HERE)


async def test_a_session_in_use_lives_on_and_an_unused_one_is_swept(world: World) -> None:
    services, bob = world.services, world["bob"]
    async with services.db.unit_of_work(bob.principal.actor) as uow:
        await uow.execute(
            "update sessions set last_used_at = now() - interval '5 minutes', expires_at = now() + interval '1 minute'"
        )
    assert await services.sign_in.by_cookie(bob.cookie, HERE)
    page = await services.sessions.list(bob.principal, PageRequest())
    assert page.items[0].expires_at > now() + timedelta(days=29)
    async with services.db.unit_of_work(bob.principal.actor) as uow:
        await uow.execute("update sessions set expires_at = now() where user_id = $1", bob.user.id)
    assert (await remove_expired(services.db))["sessions"] == 1
    assert (await services.sessions.list(bob.principal, PageRequest())).total == 0


async def test_secrets_are_stored_only_as_hashes(world: World) -> None:
    made = await world.services.tokens.create(world["bob"].principal, "t")
    link = await world.services.users.link(world["alice"].principal, world["bob"].user.id)
    await give_password(world, "bob")
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        for table in ("api_tokens", "sessions", "login_links", "users", "audit"):
            stored = str(await uow.fetch(f"select row_to_json(t)::text from {table} t"))
            for secret in (made.secret, link.secret, world["bob"].cookie, PASSWORD):
                assert secret not in stored
    assert made.secret not in repr(made)


async def test_hashing_does_not_block_the_loop() -> None:
    """Counted, not timed: while a hash is computed, other work gets its turn."""
    import asyncio

    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await Passwords().hash("a long enough password")
    counting.cancel()
    assert turns > 10
