"""The operator's own network (S3): open to the administrators of an only organisation, closed with several, unless set."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PORT
from tests.models.asking import heard, request
from tests.world import World
from workroom.db import Database
from workroom.identity.mandates import Mandates, operator
from workroom.models.model_providers import ProviderInput
from workroom.models.ports import PrivateForbidden
from workroom.models.private_addresses import PrivateAddresses
from workroom.models.service import make_models
from workroom.models.testing import Reply, ScriptedProvider
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.settings import Settings

PATH = "/api/model-providers"
INSIDE = ProviderInput(base_url="http://127.0.0.1:9/v1", allow_private=True, models=[OwnModel("qwen3")])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """What an installation has whose operator has not set anything."""
    return Settings(data=tmp_path / "data", login="password", port=PORT)


async def test_it_is_open_to_an_only_organisation_or_as_the_setting_says(db: Database) -> None:
    async def allowed(setting: bool | None) -> bool:
        return await PrivateAddresses(db, Settings(private_addresses=setting)).allowed()

    await Mandates(db).create("One")
    assert [await allowed(setting) for setting in (None, False, True)] == [True, False, True]
    await Mandates(db).create("Two")
    assert [await allowed(setting) for setting in (None, False, True)] == [False, False, True]


async def test_a_connection_is_refused_as_soon_as_there_is_another_organisation(
    db: Database, settings: Settings, provider: ScriptedProvider
) -> None:
    """In a gateway that has it open already."""
    principal = operator((await Mandates(db).create("One")).id)
    models = make_models(settings, db)
    try:
        entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("qwen3")])
        stored = (await models.providers.add(principal, ProviderKind.ENDPOINT, "own", entered)).id
        assert stored is not None
        provider.script.append(Reply("Hello"))
        (before,) = await models.gateway.chain(principal, Operation.AGENT)
        assert (await heard(before, request()))[0] == ["Hello"]
        assert await models.providers.may_detect(principal)
        await Mandates(db).create("Two")
        assert not await models.providers.may_detect(principal)
        received = len(provider.requests)

        async def answer() -> None:
            (model,) = await models.gateway.chain(principal, Operation.AGENT)
            await heard(model, request())

        doors: list[Callable[[], Awaitable[Any]]] = [
            answer,
            lambda: models.choices.choose(principal, Operation.EMBEDDING, ["own/qwen3"]),
            lambda: models.choices.choose(principal, Operation.RERANK, ["own/qwen3"]),
            lambda: models.providers.test(principal, "own"),
            lambda: models.providers.detect(principal),
            lambda: models.providers.add(principal, ProviderKind.ENDPOINT, "more", INSIDE),
            partial(models.providers.change, principal, stored, INSIDE),
        ]
        for door in doors:
            with pytest.raises(PrivateForbidden, match="WORKROOM_PRIVATE_ADDRESSES=true") as refused:
                await door()
            assert not refused.value.again
        assert len(provider.requests) == received
        off = await models.providers.change(principal, stored, ProviderInput(label="Old", enabled=False))
        assert (off.label, off.enabled, off.private) == ("Old", False, True)
    finally:
        await models.gateway.aclose()


async def test_over_http_it_is_said_before_a_confirmation_is_asked_for(world: World) -> None:
    body = {"kind": "endpoint", "name": "own", "baseUrl": "http://127.0.0.1:9/v1"}
    for refused in (
        await world.call("alice", "POST", PATH, body),
        await world.call("alice", "POST", PATH, body | {"allowPrivate": True}),
        await world.call(
            "alice", "POST", PATH, body | {"baseUrl": "http://models.example.org/v1", "allowPrivate": True}
        ),
        await world.call("alice", "POST", f"{PATH}/detect"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "privateForbidden")
    session = await world.call("alice", "GET", "/api/session")
    assert session.json()["detectsModels"] is False  # so no page looks for servers by itself
    public = await world.call("alice", "POST", PATH, body | {"baseUrl": "https://models.example.org/v1"})
    assert public.status_code == 201


async def test_what_the_operator_names_in_the_settings_stays_open(world: World, provider: ScriptedProvider) -> None:
    named = Settings(data=world.services.settings.data, model_url=provider.base_url, model="qwen3")
    models = make_models(named, world.services.db)
    try:
        provider.script.append(Reply("Hello"))
        (model,) = await models.gateway.chain(world["alice"].principal, Operation.AGENT)
        assert (await heard(model, request()))[0] == ["Hello"]
    finally:
        await models.gateway.aclose()
