"""Which embedding model counts for somebody, how one is chosen, and what choosing finds out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from tests.models.gateways import open_gateway
from tests.world import World, some_id
from workroom.core.errors import Forbidden, InvalidInput
from workroom.db import Database
from workroom.identity.types import Action, Level, Principal, Rule
from workroom.models.embeddings.embedders import Embedders
from workroom.models.embeddings.multilingual import INFO as MULTILINGUAL
from workroom.models.embeddings.ports import EmbeddingChanged
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.gateway import Gateway
from workroom.models.model_providers import ProviderInput
from workroom.models.ports import ModelFailed
from workroom.models.testing import Reply, ScriptedProvider, Status, Vectors
from workroom.models.types import Operation, OwnModel, OwnVectors, ProviderKind
from workroom.settings import Settings
from workroom.usage.service import Budgets

CHAINS = "/api/model-chains"
EMBEDDING = Operation.EMBEDDING


@pytest.fixture
def alice(world: World) -> Principal:
    return world["alice"].principal


@pytest.fixture
def lab(world: World) -> UUID:
    return world.instances["lab"].id


@pytest.fixture
def embedders(world: World) -> Embedders:
    return world.services.models.embedders


@pytest.fixture
async def own(world: World, alice: Principal, provider: ScriptedProvider) -> UUID:
    """A server of one's own that gives vectors of eight dimensions, under the name `own`."""
    entered = ProviderInput(
        base_url=provider.base_url,
        allow_private=True,
        models=[OwnModel("bge-m3", context_tokens=8_192), OwnModel("qwen3")],
    )
    added = await world.services.models.providers.add(alice, ProviderKind.ENDPOINT, "own", entered)
    assert added.id is not None
    return added.id


async def choose(world: World, *refs: str) -> None:
    await world.services.models.choices.choose(world["alice"].principal, EMBEDDING, refs or None)


async def listed(world: World, name: str = "bob") -> dict[str, Any]:
    items = (await world.call(name, "GET", "/api/embedding-models?limit=200")).json()["items"]
    return {item["model"]: item for item in items}


@pytest.mark.requirement("C5")
async def test_without_a_choice_nothing_leaves_the_machine(
    world: World, embedders: Embedders, alice: Principal, lab: UUID, own: UUID, provider: ScriptedProvider
) -> None:
    await world.services.models.providers.add(alice, ProviderKind.OPENAI, "", ProviderInput(key="sk-0123456789abcdef"))
    embedder = await embedders.embedder(alice, lab)
    assert embedder.info == MULTILINGUAL
    assert len((await embedder.embed(["secret"])).vectors) == 1
    assert provider.requests == []
    assert [ref for ref, item in (await listed(world)).items() if item["counts"]] == [MULTILINGUAL.ref]


async def test_an_operator_may_prefer_the_quick_model(world: World, db: Database, alice: Principal, lab: UUID) -> None:
    settings = Settings(data=world.services.settings.data, embedding="static")
    async with open_gateway(settings, db) as gateway:
        assert (await Embedders(db, gateway, Budgets(db)).embedder(alice, lab)).info == STATIC


@pytest.mark.requirement("C3", "H7")
async def test_choosing_finds_out_what_vectors_a_server_gives(
    world: World, embedders: Embedders, alice: Principal, lab: UUID, own: UUID
) -> None:
    assert (await listed(world))["own/bge-m3"]["dimensions"] is None
    await choose(world, "own/bge-m3")
    shown = (await listed(world))["own/bge-m3"]
    assert (shown["dimensions"], shown["counts"], shown["price"]["input"]) == (8, True, "0")
    embedder = await embedders.embedder(alice, lab)
    assert (embedder.info.ref, embedder.info.dimensions, embedder.info.input_tokens) == ("own/bge-m3", 8, 8_192)
    assert 0 <= embedder.info.floors.instance <= embedder.info.floors.shared < 1
    assert len((await embedder.embed(["one", "two"])).vectors) == 2
    await choose(world)
    assert (await embedders.embedder(alice, lab)).info == MULTILINGUAL


async def test_what_was_found_out_survives_a_change_of_the_provider(
    world: World, embedders: Embedders, alice: Principal, lab: UUID, own: UUID
) -> None:
    await choose(world, "own/bge-m3")
    providers = world.services.models.providers
    changed = await providers.change(
        alice, own, ProviderInput(label="Ours", models=[OwnModel("bge-m3"), OwnModel("new")])
    )
    assert [model.vectors is None for model in changed.models] == [False, True]
    assert (await embedders.embedder(alice, lab)).info.ref == "own/bge-m3"
    shown = (await world.call("alice", "GET", f"/api/model-providers/{own}")).json()
    fields = {"name", "contextTokens", "outputTokens", "tools", "images", "structured", "facts"}
    assert set(shown["models"][0]) == fields


async def test_a_model_that_changes_is_noticed_and_can_be_chosen_anew(
    world: World, embedders: Embedders, alice: Principal, lab: UUID, own: UUID, provider: ScriptedProvider
) -> None:
    await choose(world, "own/bge-m3")
    provider.behaviour = lambda asked: Vectors(12)
    with pytest.raises(EmbeddingChanged):
        await (await embedders.embedder(alice, lab)).embed(["one"])
    await choose(world, "own/bge-m3")
    embedder = await embedders.embedder(alice, lab)
    assert embedder.info.dimensions == 12
    assert len((await embedder.embed(["one"])).vectors[0]) == 12


@pytest.mark.parametrize("said", [Status(401), Status(404), Status(503), Reply("I am no embedding model.")])
async def test_what_does_not_answer_is_not_chosen(
    world: World, own: UUID, provider: ScriptedProvider, said: Status | Reply
) -> None:
    provider.script.append(said)
    with pytest.raises(ModelFailed):
        await choose(world, "own/qwen3")
    assert len(provider.requests) == 1, "somebody is waiting"
    chains = (await world.call("bob", "GET", CHAINS)).json()["items"]
    assert next(chain for chain in chains if chain["operation"] == "EMBEDDING") == {
        "operation": "EMBEDDING",
        "models": [],
        "chosen": False,
    }


async def test_only_models_that_can_do_it_are_taken(world: World, alice: Principal, own: UUID) -> None:
    providers, choices = world.services.models.providers, world.services.models.choices
    await providers.add(alice, ProviderKind.OPENAI, "", ProviderInput(key="sk-0123456789abcdef"))
    with pytest.raises(InvalidInput, match="can do this"):
        await choices.choose(alice, EMBEDDING, ["openai/gpt-5"])
    with pytest.raises(InvalidInput, match="can do this"):
        await choices.choose(alice, Operation.AGENT, ["openai/text-embedding-3-small"])
    with pytest.raises(Forbidden):
        await choices.choose(world["bob"].principal, EMBEDDING, ["own/bge-m3"])


@pytest.mark.requirement("C3")
async def test_a_role_that_forbids_the_model_gets_the_usual_one(
    world: World, embedders: Embedders, lab: UUID, own: UUID
) -> None:
    await choose(world, "own/bge-m3")
    bob = world["bob"].principal
    others = tuple(rule for rule in bob.rules if rule.action is not Action.USE)
    provider, model = (Rule(key, Action.USE, Level.ALL) for key in ("provider.own", "model.own/bge-m3"))
    for rules, ref in (
        ((provider, model), "own/bge-m3"),
        ((provider,), MULTILINGUAL.ref),
        ((model,), MULTILINGUAL.ref),
    ):
        assert (await embedders.embedder(replace(bob, rules=(*others, *rules)), lab)).info.ref == ref
    there = replace(bob, rules=others, memberships={lab: (provider, model)})
    assert (await embedders.embedder(there, lab)).info.ref == "own/bge-m3"
    assert (await embedders.embedder(there, some_id())).info == MULTILINGUAL


async def test_a_provider_that_is_switched_off_leaves_the_next_then_the_usual_one(
    world: World, embedders: Embedders, alice: Principal, lab: UUID, own: UUID, provider: ScriptedProvider
) -> None:
    second = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("bge-m3")])
    other = await world.services.models.providers.add(alice, ProviderKind.ENDPOINT, "second", second)
    await choose(world, "own/bge-m3", "second/bge-m3")
    assert (await embedders.embedder(alice, lab)).info.ref == "own/bge-m3"
    await world.services.models.providers.change(alice, own, ProviderInput(enabled=False))
    assert (await embedders.embedder(alice, lab)).info.ref == "second/bge-m3"
    assert other.id is not None
    await world.services.models.providers.remove(alice, other.id)
    assert (await embedders.embedder(alice, lab)).info == MULTILINGUAL


class TestProvidersOfTheCatalogue:
    @pytest.fixture
    async def everywhere(self, provider: ScriptedProvider, db: Database, world: World) -> AsyncIterator[Gateway]:
        """A gateway for which OpenAI and Google are at the scripted one's address."""
        settings = Settings(
            data=world.services.settings.data, openai_url=provider.base_url, google_url=provider.root_url
        )
        async with open_gateway(settings, db) as gateway:
            yield gateway

    @pytest.mark.requirement("H7")
    @pytest.mark.parametrize(
        ("ref", "dimensions"),
        [
            ("openai/text-embedding-3-small", 1536),
            ("openai/text-embedding-3-large", 3072),
            ("google/gemini-embedding-2", 1536),
            ("google/gemini-embedding-001", 1536),
        ],
    )
    async def test_each_gives_what_the_catalogue_says(
        self,
        everywhere: Gateway,
        world: World,
        db: Database,
        alice: Principal,
        lab: UUID,
        ref: str,
        dimensions: int,
    ) -> None:
        kind = ProviderKind(ref.split("/")[0])
        await world.services.models.providers.add(alice, kind, "", ProviderInput(key="sk-0123456789abcdef"))
        choices = type(world.services.models.choices)(db, everywhere)
        await choices.choose(alice, EMBEDDING, [ref])
        embedder = await Embedders(db, everywhere, Budgets(db)).embedder(alice, lab)
        assert (embedder.info.ref, embedder.info.dimensions) == (ref, dimensions)
        (vector,) = (await embedder.embed(["one"])).vectors
        assert len(vector) == dimensions
        assert embedder.info.price.input > 0
        if ref == "openai/text-embedding-3-small":
            assert (embedder.info.floors.instance, embedder.info.floors.shared) == (0.65, 0.70)

    async def test_a_model_with_other_vectors_than_it_should_have_is_not_chosen(
        self, everywhere: Gateway, world: World, db: Database, alice: Principal, provider: ScriptedProvider
    ) -> None:
        await world.services.models.providers.add(
            alice, ProviderKind.OPENAI, "", ProviderInput(key="sk-0123456789abcdef")
        )
        provider.script.append(Vectors(100))
        with pytest.raises(EmbeddingChanged):
            await type(world.services.models.choices)(db, everywhere).choose(
                alice, EMBEDDING, ["openai/text-embedding-3-small"]
            )


async def test_what_was_found_out_is_stored_as_it_was(world: World, alice: Principal, own: UUID) -> None:
    await choose(world, "own/bge-m3")
    found = (await world.services.models.providers.get(alice, own)).models[0].vectors
    assert isinstance(found, OwnVectors)
    assert found.dimensions == 8


async def test_prices_of_embedding_models_are_listed_and_can_be_set(world: World) -> None:
    ref = "openai/text-embedding-3-small"
    prices = "/api/model-prices"
    (price,) = (await world.call("bob", "GET", f"{prices}?q={ref}")).json()["items"]
    assert (price["usd"]["input"], price["usd"]["output"]) == ("0.02", "0")
    own = {"input": "0.5", "cached": "0.5", "output": "0"}
    assert (await world.call("alice", "PUT", prices, {"model": ref, "price": own})).status_code == 204
    (price,) = (await world.call("bob", "GET", f"{prices}?q={ref}")).json()["items"]
    assert price["own"]
