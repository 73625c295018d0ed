"""Reading the ledger: one's own, everybody's with the right to, nobody else's ever."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest

from tests.usage.budget_bench import BudgetBench, call
from tests.world import World, sign_in
from workroom.core.clock import now
from workroom.identity.mandates import operator
from workroom.identity.types import Action, Level, Rule
from workroom.identity.users import UserChange
from workroom.runs.service import Input
from workroom.usage.types import Purpose


async def spend(world: World) -> dict[str, BudgetBench]:
    """Bob 1 and 2, Alice 4, Zoe (elsewhere) 8."""
    purses = {name: BudgetBench.of(world, name) for name in ("bob", "alice", "zoe")}
    await purses["bob"].bill(1000)
    await purses["bob"].bill(2000, call(purpose=Purpose.SUMMARY))
    await purses["alice"].bill(4000)
    await purses["zoe"].bill(8000)
    return purses


async def costs(world: World, name: str, query: str = "") -> list[Decimal]:
    answer = await world.call(name, "GET", f"/api/costs?{query}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"])
    return [Decimal(item["costCHF"]) for item in answer.json()["items"]]


async def sums(world: World, name: str, query: str) -> dict[Any, Decimal]:
    answer = await world.call(name, "GET", f"/api/costs/summary?{query}")
    assert answer.status_code == 200, answer.text
    return {item["key"]: Decimal(item["costCHF"]) for item in answer.json()["items"]}


@pytest.mark.requirement("M2")
async def test_nobody_sees_what_others_spent_without_the_right(world: World) -> None:
    await spend(world)
    assert await costs(world, "bob") == [1, 2]
    assert await costs(world, "alice") == [1, 2, 4], "she administers"
    assert await costs(world, "zoe") == [8]
    assert await costs(world, "olaf") == []
    alice = world["alice"].user.id
    assert await costs(world, "bob", f"userId={alice}") == []
    assert await sums(world, "bob", "by=user") == {str(world["bob"].user.id): 3}
    assert await sums(world, "zoe", "by=user") == {str(world["zoe"].user.id): 8}


async def test_a_right_over_a_workspace_reaches_that_workspace(world: World) -> None:
    await spend(world)
    rules = [*world.roles["lab-reader"].rules]
    rules = [rule for rule in rules if rule.object_key != "data.usage"]
    alice = world["alice"].principal
    none = await world.services.roles.create(alice, "Sees no costs", "", rules)
    group = await world.services.roles.create(
        alice, "Sees the lab's", "", [*rules, Rule("data.usage", Action.READ, Level.GROUP)]
    )
    for role, seen in ((none, []), (group, [1, 2, 4])):
        await world.services.users.change(alice, world["rita"].user.id, UserChange(role_id=role.id))
        assert await costs(world, "rita") == seen
    await world.services.users.change(alice, world["olaf"].user.id, UserChange(role_id=group.id))
    assert await costs(world, "olaf") == [], "a member of nothing"


async def test_filters_narrow(world: World) -> None:
    bob = (await spend(world))["bob"]
    spender = bob.spender
    await bob.another_run(same_workflow=True).bill(16_000, call(purpose=Purpose.EMBEDDING))
    assert await costs(world, "alice", f"workflowId={spender.conversation_id}") == [1, 2, 16]
    assert await costs(world, "alice", f"runId={spender.run_id}") == [1, 2]
    assert await costs(world, "alice", f"runId={spender.run_id}&purpose=summary") == [2]
    assert await costs(world, "alice", f"userId={spender.user_id}") == [1, 2, 16]
    assert await costs(world, "alice", f"instanceId={spender.instance_id}&purpose=round") == [1, 4]
    assert await costs(world, "alice", "model=scripted-1") == [1, 2, 4, 16]
    assert await costs(world, "alice", "model=other") == []
    soon, before = (quote((now() + timedelta(hours=hours)).isoformat()) for hours in (1, -1))
    assert await costs(world, "alice", f"from={before}&to={soon}") == [1, 2, 4, 16]
    assert await costs(world, "alice", f"from={soon}") == await costs(world, "alice", f"to={before}") == []
    assert await costs(world, "alice", "sort=costCHF&order=desc") == [16, 4, 2, 1]


@pytest.mark.parametrize(
    "query", ["purpose=x", "runId=x", "from=x", "from=2026-01-01T00:00:00", "mandateId=x", "model=%00"]
)
async def test_what_is_no_filter_is_refused(world: World, query: str) -> None:
    for path in ("/api/costs", "/api/costs/summary"):
        assert (await world.call("alice", "GET", f"{path}?{query}")).status_code == 422


@pytest.mark.requirement("M2")
async def test_a_run_broken_down_by_purpose(world: World) -> None:
    bob = (await spend(world))["bob"]
    await bob.bill(500, call(purpose=Purpose.SUMMARY))
    assert await sums(world, "bob", f"runId={bob.spender.run_id}&by=purpose") == {"summary": Decimal("2.5"), "round": 1}
    answer = await world.call("bob", "GET", "/api/costs/summary?by=purpose")
    assert answer.json()["items"][0] == {
        "key": "summary",
        "label": None,
        "calls": 2,
        "inputTokens": 2500,
        "outputTokens": 0,
        "cachedTokens": 0,
        "costCHF": "2.5",
        "assumed": False,
    }


async def test_by_day_user_model_and_workflow(world: World) -> None:
    purses = await spend(world)
    assert await sums(world, "alice", "") == {now().date().isoformat(): 7}
    assert await sums(world, "alice", "by=model") == {"scripted-1": 7}
    by_workflow = await sums(world, "alice", "by=workflow")
    assert by_workflow == {
        str(purses["alice"].spender.conversation_id): 4,
        str(purses["bob"].spender.conversation_id): 3,
    }
    named = (await world.call("alice", "GET", "/api/costs/summary?by=user")).json()["items"]
    assert [item["label"] for item in named] == ["Alice", "Bob"]


async def test_a_title_is_shown_to_its_owner_alone(world: World) -> None:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    accepted = await world.services.runs.input(bob, lab, Input("My secret plan"))
    budget = BudgetBench.of(world)
    budget.spender = budget.spender.__class__(
        bob.mandate_id, world["bob"].user.id, lab, accepted.conversation_id, accepted.run_id
    )
    await budget.bill(1000)
    rules = [Rule("data.usage", Action.READ, Level.ALL), Rule("data.conversation", Action.READ, Level.MY)]
    role = await world.services.roles.create(world["alice"].principal, "Controller", "", rules)
    await world.services.users.change(world["alice"].principal, world["rita"].user.id, UserChange(role_id=role.id))
    await sign_in(world, "rita", operator(world.acme.id), world["rita"].user)

    async def label(name: str) -> str | None:
        shown: str | None = (await world.call(name, "GET", "/api/costs/summary?by=workflow")).json()["items"][0][
            "label"
        ]
        return shown

    assert await label("bob") == "My secret plan"
    assert await label("alice") is await label("rita") is None, "they see what it cost"
