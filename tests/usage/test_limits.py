"""Which of several limits counts, and who may set them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.usage.budget_bench import BudgetBench
from tests.world import World
from workroom.core.errors import BudgetExceeded
from workroom.core.ids import new_id
from workroom.usage.limits import SHIPPED, BudgetLimits, BudgetScope, SetLimit, effective
from workroom.usage.service import Budgets

ROLES = [new_id(), new_id(), new_id()]
AMOUNTS = st.none() | st.decimals(0, 1000, places=2)
SAID = st.builds(
    SetLimit, st.sampled_from([BudgetScope.RUN, BudgetScope.USER]), AMOUNTS, st.none() | st.sampled_from(ROLES)
)


def test_nothing_said_is_what_is_shipped() -> None:
    assert effective([]) == SHIPPED == BudgetLimits(None, Decimal(20), Decimal(20), Decimal(2))


@given(st.lists(SAID, max_size=8, unique_by=lambda one: (one.scope, one.role_id)))
def test_roles_win_over_the_mandate_and_the_most_generous_role_over_the_others(said: list[SetLimit]) -> None:
    limits = effective(said)
    for scope in (BudgetScope.RUN, BudgetScope.USER):
        here = [one for one in said if one.scope is scope]
        by_role = [one.amount for one in here if one.role_id]
        by_mandate = [one.amount for one in here if not one.role_id]
        counts = limits.of(scope)
        if by_role:
            assert counts in by_role
            assert counts is None or all(amount is not None and amount <= counts for amount in by_role)
        else:
            assert counts == (by_mandate[0] if by_mandate else SHIPPED.of(scope))


@given(AMOUNTS, AMOUNTS)
def test_a_cap_of_ones_own_can_only_lower(workflow: Decimal | None, cap: Decimal | None) -> None:
    capped = BudgetLimits(None, None, workflow, None).capped(workflow=cap).workflow
    assert capped == min([amount for amount in (workflow, cap) if amount is not None], default=None)


async def limits_of(world: World, name: str, instance_id: UUID | None = None) -> BudgetLimits:
    principal = world[name].principal
    async with world.services.db.unit_of_work(principal.actor) as uow:
        return await Budgets(world.services.db).limits_for(uow, principal, instance_id)


async def put(world: World, path: str, who: str = "alice", **limits: str | None) -> Any:
    body = {"limits": [{"scope": scope, "limit": limit} for scope, limit in limits.items()]}
    return await world.call(who, "PUT", f"/api/budgets/{path}", body)


def francs(shown: Mapping[str, str]) -> dict[str, Decimal]:
    return {name: Decimal(text) for name, text in shown.items() if name != "scope"}


@pytest.mark.requirement("M2")
async def test_limits_are_set_for_everybody_and_for_roles(world: World) -> None:
    member = world.roles["lab-member"].id
    assert (await put(world, "mandate", run="5", mandate="100")).json()["limits"] == [
        {"scope": "run", "limit": "5"},
        {"scope": "mandate", "limit": "100"},
    ]
    await put(world, f"roles/{member}", run="7.25", user=None)
    assert await limits_of(world, "alice") == BudgetLimits(Decimal(100), Decimal(20), Decimal(20), Decimal(5))
    assert await limits_of(world, "bob") == BudgetLimits(Decimal(100), None, Decimal(20), Decimal("7.25"))
    assert await limits_of(world, "zoe") == SHIPPED, "another organisation's are its own"
    shown = (await world.call("alice", "GET", "/api/budgets")).json()["table"]
    assert shown["mandate"] == [{"scope": "mandate", "limit": "100"}, {"scope": "run", "limit": "5"}]
    assert shown["roles"] == [
        {"roleId": str(member), "limits": [{"scope": "run", "limit": "7.25"}, {"scope": "user", "limit": None}]}
    ]
    assert (await world.call("alice", "DELETE", f"/api/budgets/roles/{member}")).status_code == 204
    assert (await limits_of(world, "bob")).run == 5
    await put(world, "mandate")
    assert await limits_of(world, "bob") == SHIPPED


async def test_a_role_held_in_a_workspace_counts_there_and_only_there(world: World) -> None:
    reader, lab = world.roles["lab-reader"].id, world.instances["lab"].id
    await put(world, f"roles/{reader}", run="50")
    await put(world, f"roles/{world.roles['lab-member'].id}", run="3")
    await world.services.instances.put_member(world["alice"].principal, lab, world["bob"].user.id, reader)
    assert (await limits_of(world, "bob", lab)).run == 50
    assert (await limits_of(world, "bob")).run == 3
    shown = (await world.call("bob", "GET", f"/api/budgets?instanceId={lab}")).json()["mine"]
    assert shown[0] == {"scope": "run", "limit": "50", "spent": None, "reserved": None, "left": "50"}


async def test_changes_are_in_the_history(world: World) -> None:
    reader = world.roles["lab-reader"].id
    await put(world, f"roles/{reader}", run="3", user=None)
    await world.call("alice", "DELETE", f"/api/budgets/roles/{reader}")
    await world.call("alice", "DELETE", f"/api/budgets/roles/{reader}")
    told = [
        (entry["action"], entry["details"])
        for entry in (await world.call("alice", "GET", "/api/audit?q=budget")).json()["items"]
    ]
    assert told == [
        ("budget.updated", {"name": "Reader", "perRun": "3", "perUser": "∞"}),
        ("budget.removed", {"name": "Reader"}),
    ]


@pytest.mark.parametrize("limit", ["-1", "1000001", "0.00001", "NaN", "Infinity", "1e30", "x", ""])
async def test_a_limit_is_an_amount_of_money(world: World, limit: str) -> None:
    assert (await put(world, "mandate", run=limit)).status_code == 422
    assert (await limits_of(world, "bob")).run == 2


async def test_what_is_no_limit_of_a_role_or_said_twice_is_refused(world: World) -> None:
    path = f"roles/{world.roles['lab-reader'].id}"
    assert (await put(world, path, mandate="1")).status_code == 422
    twice = {"limits": [{"scope": "run", "limit": "1"}, {"scope": "run", "limit": "2"}]}
    assert (await world.call("alice", "PUT", "/api/budgets/mandate", twice)).status_code == 422


async def test_everybody_sees_what_is_left_of_their_own_and_no_more(world: World) -> None:
    await put(world, "mandate", user="4", mandate="9")
    await BudgetBench.of(world).bill(1500)
    await BudgetBench.of(world, "alice").bill(1000)
    await BudgetBench.of(world).reserve(500, 0)
    seen = (await world.call("bob", "GET", "/api/budgets")).json()
    assert seen["table"] is None
    assert [budget["scope"] for budget in seen["mine"]] == ["run", "workflow", "user"]
    assert francs(seen["mine"][2]) == {"limit": 4, "spent": Decimal("1.5"), "reserved": Decimal("0.5"), "left": 2}
    whole = (await world.call("alice", "GET", "/api/budgets")).json()["mine"][3]
    assert whole["scope"] == "mandate"
    assert francs(whole) == {"limit": 9, "spent": Decimal("2.5"), "reserved": Decimal("0.5"), "left": 6}


async def test_what_is_set_is_what_stops(world: World) -> None:
    await put(world, "mandate", user="1")
    budget = BudgetBench.of(world)
    budget.limits = await limits_of(world, "bob")
    with pytest.raises(BudgetExceeded) as refused:
        await budget.reserve(1000, 300)
    assert refused.value.details["scope"] == "user"
    assert francs(refused.value.details) == {"limit": 1, "spent": 0}


async def test_only_who_may_set_budgets_sets_them(world: World) -> None:
    for name in ("bob", "rita"):
        assert (await put(world, "mandate", name, run="1000")).status_code == 404
        assert (await put(world, f"roles/{world.roles['lab-member'].id}", name, run="1000")).status_code == 404
    assert (await put(world, f"roles/{world.roles['lab-member'].id}", "zoe", run="1000")).status_code == 404
    assert (await limits_of(world, "bob")).run == 2
