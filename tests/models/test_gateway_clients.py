"""Models of the gateway over the wire: every kind of provider is really asked, at its own address, with its own key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from tests.models.asking import MAKERS, heard, known, request
from tests.models.gateways import open_gateway
from tests.world import World
from workroom.db import Database
from workroom.models.gateway import Gateway
from workroom.models.model_providers import ProviderInput
from workroom.models.ports import Model, TextDelta
from workroom.models.provider_client import ProviderClient, ProviderModel
from workroom.models.testing import Drip, Reply, ScriptedProvider
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.net import GuardedClient
from workroom.settings import Settings

KEY = "sk-0123456789abcdef"
WANTED = {"openai": "gpt-5", "anthropic": "claude-haiku-4-5", "google": "gemini-2.5-flash"}


@pytest.fixture
async def everywhere(provider: ScriptedProvider, db: Database, world: World) -> AsyncIterator[Gateway]:
    """A gateway for which all three providers are at the scripted one's address."""
    root = provider.base_url.removesuffix("/v1")
    settings = Settings(data=world.services.settings.data, openai_url=f"{root}/v1", anthropic_url=root, google_url=root)
    async with open_gateway(settings, db) as gateway:
        yield gateway


@pytest.mark.requirement("C1")
@pytest.mark.parametrize("kind", ["openai", "anthropic", "google"])
async def test_each_provider_is_asked_with_its_key(
    everywhere: Gateway, provider: ScriptedProvider, world: World, kind: str
) -> None:
    alice = world["alice"].principal
    await world.services.models.providers.add(alice, ProviderKind(kind), "", ProviderInput(key=KEY))
    provider.script.append(Reply("Hello"))
    model = (await everywhere.chain(alice, Operation.AGENT, f"{kind}/{WANTED[kind]}"))[0]
    texts, _ = await heard(model, request())
    assert "".join(texts) == "Hello"
    (asked,) = provider.requests
    assert asked.model == WANTED[kind]
    assert any(KEY in value for value in asked.headers.values())


async def test_an_endpoint_of_ones_own_is_asked(provider: ScriptedProvider, world: World) -> None:
    alice = world["alice"].principal
    entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("qwen3")])
    await world.services.models.providers.add(alice, ProviderKind.ENDPOINT, "own", entered)
    provider.script.append(Reply("Hello"))
    (model,) = await world.services.models.gateway.chain(alice, Operation.AGENT)
    assert (await heard(model, request()))[0] == ["Hello"]


async def test_its_address_is_open_for_it_and_for_nobody_else(provider: ScriptedProvider, world: World) -> None:
    """S3: the origin an administrator allowed belongs to that provider's own client."""
    alice = world["alice"].principal
    providers, gateway = world.services.models.providers, world.services.models.gateway
    entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("a")])
    await providers.add(alice, ProviderKind.ENDPOINT, "own", entered)
    sneaky = ProviderInput(base_url="http://rebound.example.org/v1", models=[OwnModel("b")])
    await providers.add(alice, ProviderKind.ENDPOINT, "sneaky", sneaky)
    snapshot = await gateway.snapshot(alice)
    allowed = {name: snapshot.offers[name].connection.allowed_private for name in ("own/a", "sneaky/b")}
    assert allowed == {"own/a": frozenset({provider.origin}), "sneaky/b": frozenset()}


class Counted(GuardedClient):
    """Remembers whether it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True
        await super().aclose()


class TestLines:
    @pytest.fixture
    def clients(self) -> list[Counted]:
        return []

    @pytest.fixture
    def line(self, provider: ScriptedProvider, clients: list[Counted]) -> ProviderClient:
        def opened() -> Counted:
            clients.append(Counted(allowed_private=frozenset({provider.origin})))
            return clients[-1]

        return ProviderClient(opened)

    @pytest.fixture
    def model(self, provider: ScriptedProvider, line: ProviderClient) -> Model:
        root = provider.base_url.removesuffix("/v1")
        return ProviderModel(known("m"), line, lambda client: MAKERS["openai"](root, "m", "", client))

    async def test_an_answer_under_way_goes_on_over_a_retired_line(
        self, provider: ScriptedProvider, line: ProviderClient, clients: list[Counted], model: Model
    ) -> None:
        gate = asyncio.Event()
        provider.script.append(Drip(Reply("Hello there"), after=2, gate=gate))
        async with aclosing(model.stream(request())) as stream:
            said = [await anext(stream)]
            await line.retire()
            assert not clients[0].closed
            gate.set()
            said += [item async for item in stream]
        assert "".join(item.text for item in said if isinstance(item, TextDelta)) == "Hello there"
        assert clients[0].closed

    async def test_a_model_from_before_can_still_be_asked(
        self, provider: ScriptedProvider, line: ProviderClient, clients: list[Counted], model: Model
    ) -> None:
        provider.script += [Reply("One"), Reply("Two")]
        await heard(model, request())
        await line.retire()
        assert (await heard(model, request()))[0] == ["Two"]
        assert [client.closed for client in clients] == [True, True]

    async def test_nothing_is_opened_that_nobody_uses(self, line: ProviderClient, clients: list[Counted]) -> None:
        await line.retire()
        assert clients == []


@pytest.mark.requirement("A2")
async def test_a_model_without_function_calling_is_spoken_to_in_the_text_protocol(
    provider: ScriptedProvider, world: World
) -> None:
    alice = world["alice"].principal
    models = [OwnModel("plain", tools=False), OwnModel("able")]
    entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=models)
    await world.services.models.providers.add(alice, ProviderKind.ENDPOINT, "own", entered)
    for model in await world.services.models.gateway.chain(alice, Operation.AGENT):
        provider.script.append(Reply("Hello"))
        await heard(model, request())
    assert [(asked.model, bool(asked.tools)) for asked in provider.requests] == [("plain", False), ("able", True)]
