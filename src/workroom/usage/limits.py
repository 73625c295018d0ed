"""The four budgets, how high each is, and which of several limits counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from workroom.usage.types import Spender

Amount = Decimal | None  # CHF; None: no limit
ALWAYS = date(1970, 1, 1)  # the period of accounts that know no time


class BudgetScope(StrEnum):
    """In the order in which accounts are locked."""

    MANDATE = "mandate"  # per calendar month, UTC
    USER = "user"  # per day, UTC
    WORKFLOW = "workflow"  # a conversation, for as long as it lives
    RUN = "run"


@dataclass(frozen=True)
class BudgetLimits:
    mandate: Amount
    user: Amount
    workflow: Amount
    run: Amount

    def of(self, scope: BudgetScope) -> Amount:
        value: Amount = getattr(self, scope)
        return value

    def capped(self, *, workflow: Amount = None, run: Amount = None) -> BudgetLimits:
        """With an agent's or a request's own caps, which can only lower."""
        return replace(self, workflow=_lower(self.workflow, workflow), run=_lower(self.run, run))


SHIPPED = BudgetLimits(mandate=None, user=Decimal(20), workflow=Decimal(20), run=Decimal(2))


@dataclass(frozen=True)
class SetLimit:
    """A limit that was set for a role, or without one for the whole mandate."""

    scope: BudgetScope
    amount: Amount
    role_id: UUID | None = None


def effective(limits: Iterable[SetLimit]) -> BudgetLimits:
    """The limits of a person with these roles: the most generous their roles say, else the mandate's, else the shipped."""
    known = list(limits)
    return BudgetLimits(**{scope: _effective(scope, known) for scope in BudgetScope})


def _effective(scope: BudgetScope, limits: list[SetLimit]) -> Amount:
    here = [one for one in limits if one.scope is scope]
    amounts = [one.amount for one in here if one.role_id is not None] or [one.amount for one in here]
    if not amounts:
        return SHIPPED.of(scope)
    return max(amount for amount in amounts if amount is not None) if None not in amounts else None


def _lower(first: Amount, second: Amount) -> Amount:
    return min((amount for amount in (first, second) if amount is not None), default=None)


@dataclass(frozen=True)
class Account:
    """Where money is counted under one limit."""

    scope: BudgetScope
    scope_id: UUID
    period: date


@dataclass(frozen=True)
class Balance:
    """What an account says; `reserved` is promised to calls under way."""

    spent: Decimal = Decimal(0)
    reserved: Decimal = Decimal(0)


def account(scope: BudgetScope, scope_id: UUID, at: datetime) -> Account:
    """The one in which something counts that begins at that moment."""
    periods = {BudgetScope.MANDATE: at.date().replace(day=1), BudgetScope.USER: at.date()}
    return Account(scope, scope_id, periods.get(scope, ALWAYS))


def accounts_of(spender: Spender, at: datetime) -> list[Account]:
    """Every account a call counts in, in the order in which they are locked."""
    concerned = {
        BudgetScope.MANDATE: spender.mandate_id,
        BudgetScope.USER: spender.user_id,
        BudgetScope.WORKFLOW: spender.conversation_id,
        BudgetScope.RUN: spender.run_id,
    }
    return [account(scope, scope_id, at) for scope, scope_id in concerned.items() if scope_id is not None]
