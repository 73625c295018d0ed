"""Mails are kept until they are sent: the mail server may be away, a worker may die, and an administrator sees what is wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.mail.conftest import Deliver
from tests.mail.mail_server import MailServer, link_in
from tests.world import World
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.pages import PageRequest
from workroom.db import Database
from workroom.identity.types import Client
from workroom.mail.jobs import MailWork, remove_expired_mails
from workroom.mail.types import MailState
from workroom.vault import Vault

HERE = Client("127.0.0.1", "tests")
PASSWORD = "correct horse battery"


async def invite(world: World, login: str = "dora@example.org", **more: Any) -> dict[str, Any]:
    body = {"login": login, "displayName": "Dora", "roleId": str(world.roles["lab-member"].id), **more}
    answer = await world.call("alice", "POST", "/api/users", body)
    assert answer.status_code == 201, answer.text
    invited: dict[str, Any] = answer.json()
    return invited


async def waiting(world: World) -> list[dict[str, Any]]:
    return list((await world.call("alice", "GET", "/api/mails")).json()["items"])


async def rows(world: World) -> list[Any]:
    async with world.services.db.unit_of_work(UserActor(world.acme.id)) as uow:
        return list(await uow.fetch("select * from mails"))


async def due_now(world: World) -> None:
    """As if the time until the next try had passed."""
    async with world.services.db.unit_of_work(UserActor(world.acme.id)) as uow:
        await uow.execute("update mails set not_before = null")


async def test_a_link_in_the_row_of_another_mail_is_not_sent_to_its_recipient(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    await invite(world)
    await invite(world, "eve@example.org")
    async with world.services.db.unit_of_work(UserActor(world.acme.id)) as uow:
        await uow.execute(
            "update mails m set sealed = o.sealed from mails o where m.mandate_id = o.mandate_id and m.mail_id <> o.mail_id"
        )
    await deliver()
    assert smtp.received == []
    assert {(mail["state"], mail["errorCode"]) for mail in await waiting(world)} == {("failed", "mailUnopenable")}


async def test_an_invitation_is_sent_and_its_link_lets_the_person_in(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    await world.call("alice", "PATCH", "/api/me", {"language": "de"})
    invited = await invite(world)
    assert invited["mail"]["recipient"] == "dora@example.org"
    path = f"/api/mails?userId={invited['user']['id']}&limit=1"
    assert (await world.call("alice", "GET", path)).json()["items"] == [invited["mail"]]
    await deliver()
    assert smtp.recipients == [["dora@example.org"]]
    assert smtp.received[0]["Subject"] == "Einladung zum Workroom von Acme"
    signed_in = await world.services.sign_in.with_link(link_in(smtp.received[0]), HERE)
    assert str(signed_in.principal.user_id) == invited["user"]["id"]
    assert await waiting(world) == []


async def test_the_link_in_a_waiting_mail_is_not_readable_in_the_database(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    secret = (await invite(world))["link"]["url"].partition("#")[2]
    [row] = await rows(world)
    assert secret.encode() not in row["sealed"]
    assert secret not in str(dict(row))
    await deliver()
    assert await rows(world) == []


async def test_somebody_with_a_plain_login_is_given_the_link_only(world: World, smtp: MailServer) -> None:
    invited = await invite(world, "dora")
    assert invited["mail"] is None
    assert "/enter#" in invited["link"]["url"]
    assert await waiting(world) == []


async def test_a_mail_that_is_delayed_is_sent_later(world: World, smtp: MailServer, deliver: Deliver) -> None:
    smtp.refusals["recipient"] += ["450 4.2.0 greylisted", "450 4.2.0 greylisted"]
    await invite(world)
    await deliver()
    [mail] = await waiting(world)
    assert (mail["state"], mail["errorCode"], mail["error"]) == ("queued", "mailDelayed", "450 4.2.0 greylisted")
    await deliver()  # not before its time
    assert (await waiting(world))[0]["tries"] == 1
    for _ in range(2):
        await due_now(world)
        await deliver()
    assert len(smtp.received) == 1
    assert await waiting(world) == []


async def test_a_mail_that_is_refused_waits_for_an_administrator(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    smtp.refusals["recipient"].append("550 5.1.1 no such user")
    await invite(world)
    await deliver()
    await due_now(world)
    await deliver()
    [mail] = await waiting(world)
    assert (mail["state"], mail["error"], mail["tries"]) == ("failed", "550 5.1.1 no such user", 1)
    again = await world.call("alice", "POST", f"/api/mails/{mail['id']}/retry")
    assert again.json()["state"] == "queued"
    await deliver()
    assert len(smtp.received) == 1
    assert (await world.call("alice", "POST", f"/api/mails/{mail['id']}/retry")).status_code == 404


async def test_a_mail_can_be_dismissed(world: World, smtp: MailServer, deliver: Deliver) -> None:
    mail = (await invite(world))["mail"]
    assert (await world.call("alice", "DELETE", f"/api/mails/{mail['id']}")).status_code == 204
    await deliver()
    assert smtp.received == []


async def test_a_mail_broken_off_in_the_middle_is_sent_again_as_the_same(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    smtp.drops_data = True
    mail = (await invite(world))["mail"]
    await deliver()
    assert (await waiting(world))[0]["errorCode"] == "mailBrokeOff"
    smtp.drops_data = False
    await due_now(world)
    await deliver()
    assert smtp.received[0]["Message-ID"] == f"<{mail['id']}@example.org>"


async def test_another_worker_goes_on_when_one_dies_with_a_mail(
    world: World, smtp: MailServer, deliver: Deliver, other_worker: Database
) -> None:
    services = world.services
    await invite(world)
    dead = MailWork(other_worker, services.outbox.server, Vault(services.settings))
    task = await dead.claim()
    assert task is not None
    await deliver()
    assert smtp.received == []  # it is heard of: the mail is its own
    async with services.db.unit_of_work(SystemActor.SWEEP) as uow:
        await uow.execute(
            "update workers set heartbeat_at = now() - interval '1 hour' where worker_id = $1",
            await other_worker.worker_id(),
        )
    await due_now(world)
    mails = MailWork(services.db, services.outbox.server, Vault(services.settings))
    async with services.db.unit_of_work(SystemActor.SWEEP) as uow:  # a claim takes over only after a steady while
        await uow.execute("update workers set steady_since = '-infinity'")
    taken = await mails.claim()
    assert taken is not None
    await mails.work(taken)
    assert len(smtp.received) == 1
    await dead.release_failed(task)
    assert await rows(world) == []


async def test_what_has_expired_is_neither_sent_nor_kept(world: World, smtp: MailServer, deliver: Deliver) -> None:
    await invite(world)
    async with world.services.db.unit_of_work(UserActor(world.acme.id)) as uow:
        await uow.execute("update mails set expires_at = $1", now() - timedelta(seconds=1))
    await deliver()
    assert smtp.received == []
    await remove_expired_mails(world.services.db)
    assert await rows(world) == []


async def test_somebody_suspended_meanwhile_gets_no_mail(world: World, smtp: MailServer, deliver: Deliver) -> None:
    user = (await invite(world))["user"]
    await world.call("alice", "PATCH", f"/api/users/{user['id']}", {"status": "suspended"})
    await deliver()
    assert smtp.received == []
    assert await rows(world) == []


async def test_a_changed_password_is_told_to_its_owner_and_voids_links_on_their_way(
    world: World, smtp: MailServer, deliver: Deliver
) -> None:
    await world.call("bob", "PATCH", "/api/me", {"language": "fr"})
    await world.call("bob", "PUT", "/api/auth/password", {"newPassword": PASSWORD})
    await deliver()
    assert smtp.received == []  # the first one is no news
    await world.call(None, "POST", "/api/auth/forgotten", {"login": "bob@example.org"})
    await world.services.resets.settle()
    body = {"newPassword": "a brand new password", "currentPassword": PASSWORD}
    assert (await world.call("bob", "PUT", "/api/auth/password", body)).status_code == 204
    await deliver()
    assert [message["Subject"] for message in smtp.received] == ["Votre mot de passe du Workroom de Acme a été modifié"]


async def test_mails_are_for_those_who_invite_and_for_their_own_organisation(world: World, smtp: MailServer) -> None:
    mail = (await invite(world))["mail"]
    assert (await world.call("bob", "GET", "/api/mails")).status_code in (403, 404)
    assert (await world.call("zoe", "GET", "/api/mails")).json()["items"] == []
    for method, path in (("POST", f"/api/mails/{mail['id']}/retry"), ("DELETE", f"/api/mails/{mail['id']}")):
        assert (await world.call("zoe", method, path)).status_code == 404
        assert (await world.call("bob", method, path)).status_code in (403, 404)
    with pytest.raises(NotFound):
        await world.services.outbox.dismiss(world["zoe"].principal, mail["id"])
    [kept] = (await world.services.outbox.list(world["alice"].principal, PageRequest())).items
    assert kept.state is MailState.QUEUED


async def test_a_test_mail_says_what_is_wrong_in_the_servers_words(world: World, smtp: MailServer) -> None:
    body = {"recipient": "alice@example.org", "language": "pt"}
    smtp.refusals["sender"].append("550 5.7.1 not from here")
    answer = await world.call("alice", "POST", "/api/mails/test", body)
    assert (answer.status_code, answer.json()["code"]) == (502, "mailSenderRefused")
    assert answer.json()["details"]["words"] == "550 5.7.1 not from here"
    assert (await world.call("alice", "POST", "/api/mails/test", body)).status_code == 204
    assert smtp.received[0]["Subject"] == "Mensagem de teste do Workroom de Acme"
    assert (await world.call("bob", "POST", "/api/mails/test", body)).status_code in (403, 404)
    assert (await world.call("alice", "GET", "/api/mails/server")).json() == {
        "isSet": True,
        "host": "127.0.0.1",
        "port": smtp.port,
        "tls": "none",
        "sender": "Workroom <workroom@example.org>",
    }
