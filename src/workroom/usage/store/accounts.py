"""Accounts: what is spent and what is promised. One statement locks all it needs, in the order given."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from workroom.core.money import ZERO
from workroom.db import UnitOfWork
from workroom.usage.limits import Account, Balance, BudgetScope


async def add(
    uow: UnitOfWork, mandate_id: UUID, accounts: Sequence[Account], *, spent: Decimal = ZERO, reserved: Decimal = ZERO
) -> list[Balance]:
    """Move all these accounts by the same amounts, making those that do not exist; answers how they stand then.

    They stay locked until the transaction ends. Rows are taken in the order of the list, one after the other, also while
    they are being made: transactions that hold one never wait for an earlier one, so they cannot wait for each other.
    """
    rows = await uow.fetch(
        "insert into budget_accounts as a (mandate_id, scope, scope_id, period, spent, reserved)"
        " select $1, w.scope, w.scope_id, w.period, $5, $6"
        " from unnest($2::text[], $3::uuid[], $4::date[]) with ordinality as w (scope, scope_id, period, place)"
        " order by w.place"
        " on conflict (mandate_id, scope, scope_id, period)"
        " do update set spent = a.spent + excluded.spent, reserved = a.reserved + excluded.reserved"
        " returning scope, spent, reserved",
        mandate_id,
        [account.scope for account in accounts],
        [account.scope_id for account in accounts],
        [account.period for account in accounts],
        spent,
        reserved,
        writes=True,
    )
    found = {BudgetScope(row["scope"]): Balance(row["spent"], row["reserved"]) for row in rows}
    return [found[account.scope] for account in accounts]


async def get(uow: UnitOfWork, mandate_id: UUID, account: Account) -> Balance:
    row = await uow.fetchrow(
        "select spent, reserved from budget_accounts"
        " where mandate_id = $1 and scope = $2 and scope_id = $3 and period = $4",
        mandate_id,
        account.scope,
        account.scope_id,
        account.period,
    )
    return Balance(row["spent"], row["reserved"]) if row else Balance()
