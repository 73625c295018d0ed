"""A forgotten password: a stranger learns nothing, a person gets in again, and nothing else changes on the way."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.mail.conftest import Deliver
from tests.mail.mail_server import MailServer, link_in
from tests.world import World
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, Unauthenticated
from workroom.identity.types import Client, Status
from workroom.identity.users import UserChange
from workroom.mail import resets

HERE = Client("127.0.0.1", "tests")
PASSWORD = "correct horse battery"


async def forget(world: World, login: str, language: str | None = None) -> tuple[int, str]:
    answer = await world.call(None, "POST", "/api/auth/forgotten", {"login": login, "language": language})
    return answer.status_code, answer.text


def links(smtp: MailServer) -> list[str]:
    return [link_in(message) for message in smtp.received]


async def test_the_answer_does_not_tell_who_is_here(world: World, smtp: MailServer, deliver: Deliver) -> None:
    await world.services.users.change(
        world["alice"].principal, world["rita"].user.id, UserChange(status=Status.SUSPENDED)
    )
    known, unknown = await forget(world, "bob@example.org"), await forget(world, "nobody@example.org")
    assert known == unknown == await forget(world, "rita@example.org") == (202, "null")
    await deliver()
    assert smtp.recipients == [["bob@example.org"]]


async def test_a_stranger_waits_for_nothing_that_depends_on_the_person(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look-up itself comes after the answer: whatever it does cannot be measured."""
    asked: list[str] = []

    async def found(_uow: object, login: str) -> list[object]:
        asked.append(login)
        return []

    monkeypatch.setattr("workroom.mail.resets.credentials.candidates", found)
    await world.services.resets.ask("bob@example.org", None, HERE)
    assert asked == []
    await world.services.resets.settle()
    assert asked == ["bob@example.org"]


async def test_the_link_sets_a_new_password_once_and_ends_all_other_sessions(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    services, bob = world.services, world["bob"]
    await services.users.set_password(bob.principal, bob.user.id, PASSWORD)
    await forget(world, "BOB@example.org", "zh")
    await deliver()
    assert "Acme" in smtp.received[0]["Subject"]
    assert smtp.received[0]["Content-Language"] == "zh"
    [secret] = links(smtp)
    came = await services.sign_in.with_link(secret, HERE)
    assert await services.sign_in.by_cookie(bob.cookie, HERE)  # opening it changes nothing yet
    with pytest.raises(InvalidInput):
        await services.users.set_password(came.principal, bob.user.id, "bob@example.org")
    await services.users.set_password(came.principal, bob.user.id, "a brand new password")
    assert await services.sign_in.by_cookie(bob.cookie, HERE) is None
    assert await services.sign_in.by_cookie(came.cookie, HERE)
    assert await services.sign_in.with_password("bob@example.org", "a brand new password", world.acme.id, HERE)
    with pytest.raises(Unauthenticated):
        await services.sign_in.with_link(secret, HERE)


async def test_a_newer_link_voids_the_earlier_one_but_no_invitation(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    services = world.services
    invitation = await services.users.link(world["alice"].principal, world["bob"].user.id)
    await forget(world, "bob@example.org")
    await deliver()
    await forget(world, "bob@example.org")
    await deliver()
    first, second = links(smtp)
    with pytest.raises(Unauthenticated):
        await services.sign_in.with_link(first, HERE)
    assert await services.sign_in.with_link(second, HERE)
    assert await services.sign_in.with_link(invitation.secret, HERE)


async def test_a_mail_on_its_way_is_replaced_by_the_newer_one(world: World, smtp: MailServer, deliver: Deliver) -> None:
    for _ in range(2):
        await forget(world, "bob@example.org")
        await world.services.resets.settle()
    await deliver()
    [secret] = links(smtp)
    assert await world.services.sign_in.with_link(secret, HERE)


async def test_the_link_expires_soon(
    world: World, smtp: MailServer, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert timedelta(minutes=15) <= resets.LIFETIME <= timedelta(hours=2)
    await forget(world, "bob@example.org")
    await deliver()
    later = now() + resets.LIFETIME
    monkeypatch.setattr("workroom.identity.signin.now", lambda: later)
    with pytest.raises(Unauthenticated):
        await world.services.sign_in.with_link(links(smtp)[0], HERE)


async def test_requests_are_counted_per_login_whether_or_not_it_exists(world: World) -> None:
    for login in ("bob@example.org", "nobody@example.org"):
        answers = [await forget(world, login) for _ in range(4)]
        assert [status for status, _ in answers] == [202, 202, 202, 429]


async def test_requests_are_counted_per_address(world: World) -> None:
    answers = [await forget(world, f"person{number}@example.org") for number in range(21)]
    assert [status for status, _ in answers] == [202] * 20 + [429]
    assert (await world.call(None, "POST", "/api/auth/login", {"login": "x@y.z", "password": "x"})).status_code == 401


async def test_a_login_in_two_organisations_gets_a_link_for_each(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    role = world.roles["den-member"].id
    await world.services.users.create(world["zoe"].principal, "bob@example.org", "Bob", role)
    await forget(world, "bob@example.org")
    await deliver()
    assert {message["Subject"] for message in smtp.received} == {
        f"A new password for the Workroom of {name}" for name in ("Acme", "Zeta")
    }
    opened = [await world.services.sign_in.with_link(secret, HERE) for secret in links(smtp)]
    assert {one.principal.mandate_id for one in opened} == {world.acme.id, world.zeta.id}


async def test_history_says_that_it_was_asked_for(world: World) -> None:
    await forget(world, "bob@example.org")
    await world.services.resets.settle()
    entry = (await world.call("alice", "GET", "/api/audit?order=desc&limit=1")).json()["items"][0]
    assert (entry["action"], entry["objectId"]) == ("user.resetRequested", str(world["bob"].user.id))
    assert entry["userId"] is None
    assert entry["address"] == "127.0.0.1"


async def test_no_other_text_than_an_address_is_taken(world: World) -> None:
    for text in ("bob", "bob@example.org,eve@example.org", "bob@example.org\r\nBcc: eve@example.org"):
        assert (await forget(world, text))[0] == 422
