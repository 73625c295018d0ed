"""Reranking models: what is sent, what may come back, who pays, and how one is chosen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.models.embeddings.places import KEY, connection_to
from tests.world import World
from workroom.core.errors import BudgetExceeded, InvalidInput
from workroom.core.money import FREE, Price
from workroom.core.pages import PageRequest
from workroom.core.tokens import Usage
from workroom.identity.types import Action
from workroom.models.model_factory import client_for
from workroom.models.model_providers import ProviderInput
from workroom.models.ports import ModelFailed
from workroom.models.provider_client import ProviderClient
from workroom.models.reranking import remote
from workroom.models.reranking.metered import MeteredReranker
from workroom.models.reranking.offers import RerankOffer
from workroom.models.reranking.ports import Reranker, RerankerInfo
from workroom.models.reranking.remote import RemoteReranker
from workroom.models.testing import Cut, FixedReranker, Nothing, Ranks, Reply, ScriptedAnswer, ScriptedProvider, Status
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.usage.limits import BudgetScope
from workroom.usage.types import CostFilter, CostLine, Outcome, Purpose, Spender

PRICE = Price(Decimal(2), Decimal(0), Decimal(2))
TEXTS = ["short", "a longer one", "the longest of them all"]


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=lambda asked: Ranks()) as started:
        yield started


@pytest.fixture
async def reranker(provider: ScriptedProvider) -> AsyncIterator[RemoteReranker]:
    connection = connection_to(provider)
    line: ProviderClient = client_for(connection)
    info = RerankerInfo("scripted", "bge-reranker", FREE)
    yield RemoteReranker(RerankOffer(info.ref, info, connection), line)
    await line.retire()


def paid(world: World, inner: Reranker) -> MeteredReranker:
    bob = world["bob"].principal
    assert bob.user_id is not None
    spender = Spender(bob.mandate_id, bob.user_id, world.instances["lab"].id)
    return MeteredReranker(inner, world.services.db, world.services.budgets, bob, spender)


async def ledger(world: World) -> list[CostLine]:
    page = await world.services.costs.list(world["bob"].principal, CostFilter(), PageRequest(limit=50))
    return list(page.items)


async def test_what_is_sent_and_what_comes_back(provider: ScriptedProvider, reranker: RemoteReranker) -> None:
    got = await reranker.rerank("which is long?", TEXTS)
    assert list(got.scores) == [float(len(text)) for text in TEXTS], (
        "in the order of the texts, whatever order was said"
    )
    assert (got.usage.input_tokens, got.assumed) == (9, False)
    (asked,) = provider.requests
    assert asked.path == "/v1/rerank"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {"model": "bge-reranker", "query": "which is long?", "documents": TEXTS, "top_n": 3}


@pytest.mark.parametrize("kind", ["fixed", "remote"])
async def test_every_reranker_gives_one_score_per_text(reranker: RemoteReranker, kind: str) -> None:
    asked: Reranker = FixedReranker() if kind == "fixed" else reranker
    got = await asked.rerank("a longer one", TEXTS)
    assert len(got.scores) == len(TEXTS)
    assert got.scores[1] > got.scores[0]
    assert asked.info.ref == f"{asked.info.provider}/{asked.info.id}"


async def test_who_does_not_count_is_estimated(provider: ScriptedProvider, reranker: RemoteReranker) -> None:
    provider.script.append(Ranks(counted=False))
    got = await reranker.rerank("which is long?", TEXTS)
    assert got.assumed
    assert got.usage.input_tokens > 0


async def test_scores_may_have_the_other_name(provider: ScriptedProvider, reranker: RemoteReranker) -> None:
    provider.script.append(Ranks(results=[{"index": n, "score": -n} for n in range(3)]))
    assert list((await reranker.rerank("which?", TEXTS)).scores) == [0, -1, -2]


WRONG: dict[str, ScriptedAnswer] = {
    "too few": Ranks(scores=[1.0]),
    "too many": Ranks(scores=[1.0] * 5),
    "one twice": Ranks(results=[{"index": 0, "relevance_score": 1}] * 3),
    "out of range": Ranks(results=[{"index": n, "relevance_score": 1} for n in (0, 1, 7)]),
    "no numbers": Ranks(scores=[float("nan")] * 3),
    "infinite": Ranks(scores=[float("inf"), 1.0, 2.0]),
    "words": Ranks(scores=["good", "bad", "ugly"]),
    "no list": Ranks(results={"index": 0}),
    "nothing in it": Ranks(results=[None, None, None]),
    "an answer in words": Reply("The third one."),
    "a refusal": Status(400),
    "no such model": Status(404),
    "a bad day": Status(500),
    "a broken line": Nothing(dropped=True),
    "half an answer": Cut(Reply("x"), after=1),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_whatever_is_wrong_is_one_clear_failure(
    provider: ScriptedProvider, reranker: RemoteReranker, wrong: str
) -> None:
    provider.script.append(WRONG[wrong])
    with pytest.raises(ModelFailed) as failed:
        await reranker.rerank("which?", TEXTS)
    assert KEY not in failed.value.message
    assert len(provider.requests) == 1, "somebody is waiting"
    answered = isinstance(WRONG[wrong], Ranks | Reply | Cut)
    assert failed.value.used == Usage(input_tokens=remote.expected_tokens("which?", TEXTS) if answered else 0)


async def test_who_does_not_answer_is_not_waited_for(
    provider: ScriptedProvider, reranker: RemoteReranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remote.SECONDS == 5
    monkeypatch.setattr(remote, "SECONDS", 0.05)
    provider.script.append(Nothing())
    with pytest.raises(ModelFailed):
        await reranker.rerank("which?", TEXTS)


@pytest.mark.requirement("C4")
async def test_every_call_is_a_line_in_the_ledger(world: World) -> None:
    fixed = FixedReranker(price=PRICE)
    await paid(world, fixed).rerank("which?", ["12345678", "1234"])
    (line,) = await ledger(world)
    assert (line.billed.call.purpose, line.billed.outcome) == (Purpose.RERANK, Outcome.ANSWERED)
    assert (line.billed.usage.input_tokens, line.billed.cost_chf) == (3, Decimal("0.000006"))


async def test_what_fails_costs_nothing_and_without_money_nobody_is_asked(world: World) -> None:
    fixed = FixedReranker(price=PRICE)
    fixed.failures.append(ModelFailed("busy", again=True))
    with pytest.raises(ModelFailed):
        await paid(world, fixed).rerank("which?", TEXTS)
    (line,) = await ledger(world)
    assert (line.billed.outcome, line.billed.cost_chf) == (Outcome.FAILED, Decimal(0))
    fixed.failures.append(ModelFailed("orders nothing", again=False, used=Usage(input_tokens=3)))
    with pytest.raises(ModelFailed):
        await paid(world, fixed).rerank("which?", TEXTS)
    (useless,) = [one.billed for one in await ledger(world) if one.billed.id != line.billed.id]
    assert (useless.outcome, useless.assumed, useless.usage.input_tokens) == (Outcome.FAILED, True, 3)
    await world.services.budgets.set_for_mandate(world["alice"].principal, {BudgetScope.USER: Decimal(0)})
    with pytest.raises(BudgetExceeded):
        await paid(world, fixed).rerank("which?", TEXTS)
    assert len(fixed.calls) == 2


class TestChoosing:
    @pytest.fixture
    async def own(self, world: World, provider: ScriptedProvider) -> UUID:
        entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("bge-reranker")])
        alice = world["alice"].principal
        added = await world.services.models.providers.add(alice, ProviderKind.ENDPOINT, "own", entered)
        assert added.id is not None
        return added.id

    async def choose(self, world: World, *refs: str) -> None:
        await world.services.models.choices.choose(world["alice"].principal, Operation.RERANK, refs or None)

    async def made(self, world: World, **changes: Any) -> Reranker | None:
        bob = replace(world["bob"].principal, **changes)
        return await world.services.models.rerankers.reranker(bob, world.instances["lab"].id)

    async def test_without_a_choice_there_is_none(self, world: World, own: UUID, provider: ScriptedProvider) -> None:
        assert await self.made(world) is None
        await self.choose(world, "own/bge-reranker")
        chosen = await self.made(world)
        assert chosen is not None
        assert chosen.info.ref == "own/bge-reranker"
        assert len(provider.requests) == 1, "it was tried when it was chosen"
        await self.choose(world)
        assert await self.made(world) is None

    async def test_what_is_no_reranking_model_is_not_chosen(
        self, world: World, own: UUID, provider: ScriptedProvider
    ) -> None:
        provider.behaviour = lambda asked: Reply("Hello")
        with pytest.raises(ModelFailed) as failed:
            await self.choose(world, "own/bge-reranker")
        assert (failed.value.code, failed.value.details) == ("noReranking", {"model": "bge-reranker"})
        assert await self.made(world) is None
        alice = world["alice"].principal
        await world.services.models.providers.add(
            alice, ProviderKind.OPENAI, "", ProviderInput(key="sk-0123456789abcdef")
        )
        with pytest.raises(InvalidInput, match="can do this"):
            await self.choose(world, "openai/gpt-5")

    async def test_a_role_or_a_switch_takes_it_away(self, world: World, own: UUID) -> None:
        await self.choose(world, "own/bge-reranker")
        rules = tuple(rule for rule in world["bob"].principal.rules if rule.action is not Action.USE)
        assert await self.made(world, rules=rules) is None
        await world.services.models.providers.change(world["alice"].principal, own, ProviderInput(enabled=False))
        assert await self.made(world) is None

    async def test_it_is_a_kind_of_work_like_the_others(self, world: World) -> None:
        chains = (await world.call("bob", "GET", "/api/model-chains")).json()["items"]
        assert {"operation": "RERANK", "models": [], "chosen": False} in chains
