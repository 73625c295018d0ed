"""What was said about limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.usage.limits import BudgetScope, SetLimit


async def for_person(
    uow: UnitOfWork, mandate_id: UUID, user_id: UUID | None, instance_id: UUID | None
) -> list[SetLimit]:
    """The limits of the mandate, and of a person's roles: their own, and the one they hold in that workspace."""
    rows = await uow.fetch(
        "select scope, amount, role_id from budget_limits where mandate_id = $1 and (role_id is null or role_id in ("
        " select role_id from users where mandate_id = $1 and user_id = $2"
        " union all select role_id from memberships where mandate_id = $1 and user_id = $2 and instance_id = $3"
        " and role_id is not null))",
        mandate_id,
        user_id,
        instance_id,
    )
    return [_said(row) for row in rows]


async def all_of(uow: UnitOfWork, mandate_id: UUID) -> list[SetLimit]:
    rows = await uow.fetch(
        "select scope, amount, role_id from budget_limits where mandate_id = $1 order by role_id nulls first, scope",
        mandate_id,
    )
    return [_said(row) for row in rows]


async def replace(uow: UnitOfWork, mandate_id: UUID, role_id: UUID | None, limits: Sequence[SetLimit]) -> int:
    """Put these in the place of what was said for this role, or for everybody; answers how many lines that were."""
    removed = await uow.execute(
        "delete from budget_limits where mandate_id = $1 and role_id is not distinct from $2", mandate_id, role_id
    )
    await uow.executemany(
        "insert into budget_limits (mandate_id, role_id, scope, amount) values ($1, $2, $3, $4)",
        [(mandate_id, role_id, one.scope, one.amount) for one in limits],
    )
    return removed


def _said(row: Any) -> SetLimit:
    return SetLimit(BudgetScope(row["scope"]), row["amount"], row["role_id"])
