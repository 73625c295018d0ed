"""Which models somebody gets, in which order: what is set up, what was chosen, what the role allows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from tests.models.gateways import open_gateway
from tests.world import World
from workroom.core.errors import ConfigurationError, Forbidden, NotFound
from workroom.core.money import FREE
from workroom.db import Database
from workroom.identity.types import Action, Level, Principal, Rule
from workroom.models.gateway import Gateway, ref_of
from workroom.models.model_providers import ProviderInput
from workroom.models.ports import Model
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.settings import Settings
from workroom.vault import Vault

ENDPOINT = ProviderKind.ENDPOINT
PRIVATE = ProviderInput(base_url="http://127.0.0.1:9/v1", allow_private=True, models=[OwnModel("qwen3:8b")])


def refs(models: Sequence[Model]) -> list[str]:
    return [ref_of(model) for model in models]


@pytest.fixture
def gateway(world: World) -> Gateway:
    return world.services.models.gateway


@pytest.fixture
def alice(world: World) -> Principal:
    return world["alice"].principal


@pytest.fixture
async def elsewhere(settings: Settings, db: Database) -> AsyncIterator[Gateway]:
    """The gateway of another process."""
    async with open_gateway(settings, db) as opened:
        yield opened


async def add(world: World, *kinds: ProviderKind) -> None:
    for kind in kinds:
        await world.services.models.providers.add(
            world["alice"].principal, kind, "", ProviderInput(key="sk-0123456789abcdef")
        )


@pytest.mark.requirement("C5")
@pytest.mark.parametrize("operation", Operation)
async def test_with_nothing_set_up_the_embedded_default_answers(
    gateway: Gateway, alice: Principal, operation: Operation
) -> None:
    assert await gateway.chain(alice, operation) == [gateway.embedded]


@pytest.mark.requirement("C3", "A8")
async def test_the_best_comes_first_and_one_provider_after_the_other(
    world: World, gateway: Gateway, alice: Principal
) -> None:
    await add(world, ProviderKind.GOOGLE, ProviderKind.OPENAI)
    await world.services.models.providers.add(alice, ENDPOINT, "ollama", PRIVATE)
    assert refs(await gateway.chain(alice, Operation.AGENT)) == [
        "openai/gpt-6.1-sol",
        "openai/gpt-6.1-terra",
        "google/gemini-4-argon",
        "google/gemini-3.8-flash",
        "ollama/qwen3:8b",
    ]


@pytest.mark.requirement("C3")
async def test_summaries_are_made_by_the_cheapest(world: World, gateway: Gateway, alice: Principal) -> None:
    await add(world, ProviderKind.OPENAI, ProviderKind.ANTHROPIC)
    await world.services.models.providers.add(alice, ENDPOINT, "ollama", PRIVATE)
    chain = await gateway.chain(alice, Operation.DATA_ANALYSE)
    costs = [model.info.price.input + model.info.price.output for model in chain]
    assert refs(chain)[0] == "ollama/qwen3:8b"
    assert costs == sorted(costs)
    assert chain[0].info.price == FREE


async def test_only_models_that_see_look_at_pictures(world: World, gateway: Gateway, alice: Principal) -> None:
    blind = replace(PRIVATE, models=[OwnModel("blind"), OwnModel("seeing", images=True)])
    await world.services.models.providers.add(alice, ENDPOINT, "ollama", blind)
    assert refs(await gateway.chain(alice, Operation.VISION)) == ["ollama/seeing"]


@pytest.mark.requirement("C3")
async def test_what_was_chosen_is_law(world: World, gateway: Gateway, alice: Principal) -> None:
    await add(world, ProviderKind.OPENAI)
    ollama = await world.services.models.providers.add(alice, ENDPOINT, "ollama", PRIVATE)
    await world.services.models.choices.choose(alice, Operation.AGENT, ["ollama/qwen3:8b"])
    assert refs(await gateway.chain(alice, Operation.AGENT)) == ["ollama/qwen3:8b"]
    assert ollama.id is not None
    await world.services.models.providers.change(alice, ollama.id, ProviderInput(enabled=False))
    assert await gateway.chain(alice, Operation.AGENT) == [gateway.embedded], "nobody else is asked instead"
    await world.services.models.choices.choose(alice, Operation.AGENT, None)
    assert refs(await gateway.chain(alice, Operation.AGENT))[0] == "openai/gpt-6.1-sol"


class TestWanted:
    async def test_comes_first_and_the_chain_follows(self, world: World, gateway: Gateway, alice: Principal) -> None:
        await add(world, ProviderKind.OPENAI)
        chain = await gateway.chain(alice, Operation.AGENT, "openai/gpt-6.1-terra")
        assert refs(chain) == ["openai/gpt-6.1-terra", "openai/gpt-6.1-sol"]

    @pytest.mark.parametrize("ref", ["openai/gpt-99", "anthropic/claude-opus-5-5", "gpt-5", "", "\x00/x"])
    async def test_unknown_is_named(self, world: World, gateway: Gateway, alice: Principal, ref: str) -> None:
        await add(world, ProviderKind.OPENAI)
        with pytest.raises(NotFound) as caught:
            await gateway.chain(alice, Operation.AGENT, ref)
        assert repr(ref) in caught.value.message

    async def test_the_embedded_default_can_be_wanted_too(
        self, world: World, gateway: Gateway, alice: Principal
    ) -> None:
        await add(world, ProviderKind.OPENAI)
        assert await gateway.chain(alice, Operation.AGENT, ref_of(gateway.embedded)) == [gateway.embedded]


def with_rules(principal: Principal, *rules: tuple[str, Level]) -> Principal:
    kept = tuple(rule for rule in principal.rules if rule.action is not Action.USE)
    return replace(principal, rules=(*kept, *(Rule(key, Action.USE, level) for key, level in rules)))


@pytest.mark.requirement("C3", "N1")
class TestRoleRules:
    async def test_a_provider_can_be_forbidden(self, world: World, gateway: Gateway, alice: Principal) -> None:
        await add(world, ProviderKind.OPENAI, ProviderKind.GOOGLE)
        principal = with_rules(
            alice, ("provider.*", Level.ALL), ("provider.openai", Level.NONE), ("model.*", Level.ALL)
        )
        assert {model.info.provider for model in await gateway.chain(principal, Operation.AGENT)} == {"google"}
        with pytest.raises(Forbidden, match="openai/gpt-5"):
            await gateway.chain(principal, Operation.AGENT, "openai/gpt-5")

    async def test_a_model_can_be_forbidden_or_alone_allowed(
        self, world: World, gateway: Gateway, alice: Principal
    ) -> None:
        await add(world, ProviderKind.OPENAI)
        principal = with_rules(
            alice, ("provider.*", Level.ALL), ("model.openai/gpt-6*", Level.NONE), ("model.*", Level.ALL)
        )
        assert await gateway.chain(principal, Operation.AGENT) == [gateway.embedded]
        only = with_rules(alice, ("provider.openai", Level.ALL), ("model.openai/gpt-6.1-terra", Level.ALL))
        assert refs(await gateway.chain(only, Operation.AGENT)) == ["openai/gpt-6.1-terra"]

    @pytest.mark.parametrize("key", ["provider.*", "model.*"])
    async def test_one_of_the_two_is_not_enough(
        self, world: World, gateway: Gateway, alice: Principal, key: str
    ) -> None:
        await add(world, ProviderKind.OPENAI)
        with pytest.raises(Forbidden):
            await gateway.chain(with_rules(alice, (key, Level.ALL)), Operation.AGENT, "openai/gpt-5")

    async def test_a_role_held_in_a_workspace_counts_there(
        self, world: World, gateway: Gateway, alice: Principal
    ) -> None:
        await add(world, ProviderKind.OPENAI)
        lab = world.instances["lab"].id
        given = (Rule("provider.*", Action.USE, Level.ALL), Rule("model.*", Action.USE, Level.ALL))
        principal = replace(with_rules(alice), memberships={lab: given})
        assert await gateway.chain(principal, Operation.AGENT) == [gateway.embedded]
        assert refs(await gateway.chain(principal, Operation.AGENT, instance_id=lab))[0] == "openai/gpt-6.1-sol"

    async def test_the_list_says_what_is_allowed(self, world: World) -> None:
        await add(world, ProviderKind.OPENAI)
        listed = (await world.call("bob", "GET", "/api/models?q=gpt-5&limit=200")).json()["items"]
        assert {model["allowed"] for model in listed} == {True}
        rules = [{"objectKey": "data.model", "action": "read", "level": "ALL"}]
        role = (await world.call("alice", "POST", "/api/roles", {"name": "Looks", "rules": rules})).json()
        bob = f"/api/users/{world['bob'].user.id}"
        assert (await world.call("alice", "PATCH", bob, {"roleId": role["id"]})).status_code == 200
        listed = (await world.call("bob", "GET", "/api/models?q=gpt-5&limit=200")).json()["items"]
        assert {model["allowed"] for model in listed} == {False}


class TestChanges:
    async def test_are_seen_by_every_process_at_its_next_call(
        self, world: World, gateway: Gateway, elsewhere: Gateway, alice: Principal
    ) -> None:
        assert await elsewhere.chain(alice, Operation.AGENT) == [elsewhere.embedded]
        await add(world, ProviderKind.OPENAI)
        assert refs(await elsewhere.chain(alice, Operation.AGENT))[0] == "openai/gpt-6.1-sol"
        await world.services.models.prices.put(alice, "openai/gpt-6.1-sol", FREE)
        assert (await elsewhere.chain(alice, Operation.AGENT))[0].info.price == FREE
        await world.services.models.prices.put(alice, "openai/gpt-6.1-sol", None)
        assert (await elsewhere.chain(alice, Operation.AGENT))[0].info.price.input == Decimal("1.60")

    async def test_without_one_the_same_models_are_used_again(
        self, world: World, gateway: Gateway, alice: Principal
    ) -> None:
        await add(world, ProviderKind.OPENAI)
        first = await gateway.chain(alice, Operation.AGENT)
        assert all(a is b for a, b in zip(first, await gateway.chain(alice, Operation.AGENT), strict=True))

    async def test_of_one_mandate_are_not_anothers(self, world: World, gateway: Gateway) -> None:
        await add(world, ProviderKind.OPENAI)
        assert await gateway.chain(world["zoe"].principal, Operation.AGENT) == [gateway.embedded]


class TestEnvironment:
    async def test_a_key_works_at_once(self, db: Database, world: World) -> None:
        async with open_gateway(Settings(anthropic_api_key="k"), db) as gateway:
            chain = await gateway.chain(world["bob"].principal, Operation.AGENT)
        assert refs(chain) == ["anthropic/claude-opus-5-5", "anthropic/claude-sonnet-5-5"]

    async def test_can_be_switched_off(self, db: Database, world: World) -> None:
        off = Settings(openai_api_key="k", environment_keys=False)
        async with open_gateway(off, db) as gateway:
            assert await gateway.chain(world["bob"].principal, Operation.AGENT) == [gateway.embedded]

    async def test_the_server_in_the_settings_comes_first_and_is_free(self, db: Database, world: World) -> None:
        own = Settings(model_url="http://127.0.0.1:9/v1", model="qwen3", openai_api_key="k")
        async with open_gateway(own, db) as gateway:
            first = (await gateway.chain(world["bob"].principal, Operation.AGENT))[0]
        assert (ref_of(first), first.info.price) == ("local/qwen3", FREE)

    async def test_openai_by_its_address_costs_what_openai_costs(self, db: Database, world: World) -> None:
        own = Settings(model_url="https://api.openai.com/v1", model="gpt-5")
        async with open_gateway(own, db) as gateway:
            price = (await gateway.chain(world["bob"].principal, Operation.AGENT))[0].info.price
        assert (price.output, price.assumed) == (Decimal("8.00"), False)

    async def test_a_server_elsewhere_is_not_free(self, db: Database, world: World) -> None:
        own = Settings(model_url="https://models.example.org/v1", model="m")
        async with open_gateway(own, db) as gateway:
            price = (await gateway.chain(world["bob"].principal, Operation.AGENT))[0].info.price
        assert price.assumed

    @pytest.mark.parametrize("name", ["model_url", "openai_url", "anthropic_url", "google_url"])
    def test_an_address_that_is_none_is_said_at_the_start(self, db: Database, name: str) -> None:
        settings = Settings.model_validate({name: "not an address"})
        with pytest.raises(ConfigurationError, match=f"WORKROOM_{name.upper()}"):
            Gateway(db, settings, Vault(settings))

    async def test_a_stored_provider_stands_in_its_place(self, db: Database, world: World) -> None:
        found = Settings(openai_api_key="k", data=world.services.settings.data)
        async with open_gateway(found, db) as gateway:
            bob = world["bob"].principal
            assert refs(await gateway.chain(bob, Operation.AGENT))[0] == "openai/gpt-6.1-sol"
            await world.services.models.providers.add(
                world["alice"].principal, ProviderKind.OPENAI, "", ProviderInput(enabled=False)
            )
            assert await gateway.chain(bob, Operation.AGENT) == [gateway.embedded]
