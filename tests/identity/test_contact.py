"""Whom to ask who cannot sign in: what an administrator wrote on purpose, and nothing about anybody else."""

from __future__ import annotations

import pytest

from tests.world import World
from workroom.api.services import Services
from workroom.core.errors import Forbidden, InvalidInput
from workroom.identity.mandates import operator


async def test_without_a_contact_a_stranger_learns_nothing(world: World) -> None:
    answer = await world.call(None, "GET", "/api/auth/help")
    assert answer.json() == {"contact": "", "byMail": False}


async def test_the_contact_of_the_only_organisation_is_shown_as_it_was_written(services: Services) -> None:
    mandate = await services.mandates.create("Acme")
    await services.mandates.change(operator(mandate.id), contact="  Alice Meier,\n031 000 00 00 ")
    assert await services.mandates.public_contact() == "Alice Meier, 031 000 00 00"
    await services.mandates.change(operator(mandate.id), name="Acme AG")
    assert (await services.mandates.get(operator(mandate.id))).contact == "Alice Meier, 031 000 00 00"
    await services.mandates.change(operator(mandate.id), contact="")
    assert await services.mandates.public_contact() == ""


async def test_where_several_organisations_work_strangers_see_none_of_their_contacts(world: World) -> None:
    body = {"contact": "Alice Meier, alice@example.org"}
    assert (await world.call("alice", "PATCH", "/api/mandate", body)).json()["contact"] == body["contact"]
    await world.services.mandates.change(operator(world.zeta.id), contact="Zoe")
    assert (await world.call(None, "GET", "/api/auth/help")).json()["contact"] == ""
    assert (await world.call("bob", "GET", "/api/session")).json()["mandate"]["contact"] == body["contact"]
    assert (await world.call("zoe", "GET", "/api/session")).json()["mandate"]["contact"] == "Zoe"


async def test_only_administrators_write_it(world: World) -> None:
    with pytest.raises(Forbidden):
        await world.services.mandates.change(world["bob"].principal, contact="Bob")
    with pytest.raises(InvalidInput):
        await world.services.mandates.change(world["alice"].principal, contact="x" * 301)


async def test_without_a_mail_server_nothing_is_asked_for(world: World) -> None:
    answers = [
        await world.call(None, "POST", "/api/auth/forgotten", {"login": login})
        for login in ("bob@example.org", "nobody@example.org")
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(409, "noMailServer")}
