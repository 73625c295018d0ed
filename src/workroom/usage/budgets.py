"""Reserve before a call, settle after it: how budgets hold while many calls are under way at once.

Everything here works in the caller's unit of work, so that money and what it bought are stored together or not at all.
Two rules keep transactions from waiting for each other in a circle: touch budgets before the rows of a run, and within one
transaction settle the old call before reserving for the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, NotFound
from workroom.core.ids import new_id
from workroom.core.money import Price
from workroom.core.tokens import Usage
from workroom.db import UnitOfWork
from workroom.usage.limits import Account, Amount, Balance, BudgetLimits, BudgetScope, accounts_of
from workroom.usage.store import accounts as accounts_store
from workroom.usage.store import billing, reservations
from workroom.usage.types import (
    LEAST_OUTPUT_TOKENS,
    LIKELY_OUTPUT_TOKENS,
    BillingTransaction,
    Call,
    Outcome,
    Reservation,
    Spender,
)

USED_UP = {
    BudgetScope.RUN: "The budget of this answer is used up. Ask again to go on, or have an administrator raise it.",
    BudgetScope.WORKFLOW: "The budget of this conversation is used up. Begin a new one, or have an administrator raise it.",
    BudgetScope.USER: "Your budget for today is used up. Go on tomorrow (UTC), or have an administrator raise it.",
    BudgetScope.MANDATE: "The organisation's budget for this month is used up. An administrator can raise it.",
}

# What a report may come to: times what was expected, and tokens besides. A tokenizer makes at most one token of a byte, and
# estimates have one for four bytes; but a picture, estimated at 1,600, is counted as 37,000 by some models.
READ_AT_MOST, READ_BESIDES = 24, 10_000
# The limit is the provider's to keep and in its own tokens; some do not count reasoning against it.
WRITTEN_AT_MOST, WRITTEN_BESIDES = 4, 40_000


class ReservedBudget(BudgetExceeded):
    """Enough would be left, but it is reserved for calls under way: most of that comes back when they are settled."""


async def reserve(
    uow: UnitOfWork,
    spender: Spender,
    limits: BudgetLimits,
    call: Call,
    input_tokens: int,
    wanted_output_tokens: int,
    *,
    least_output_tokens: int = LEAST_OUTPUT_TOKENS,
) -> Reservation:
    """Set aside what the call may cost at most, with less to write if that is all that can be paid; BudgetExceeded if not
    even `least_output_tokens` can. What costs nothing is never refused. No call reserves more than half of what is left, unless
    a likely answer needs it: few use what they might, and others want to begin as well."""
    at = now()
    accounts = accounts_of(spender, at)
    granted, amount = wanted_output_tokens, call.price.of(Usage(input_tokens, wanted_output_tokens))
    if amount:
        whole = amount
        balances = await accounts_store.add(uow, spender.mandate_id, accounts, reserved=whole)
        scope, left, balance = _tightest(limits, accounts, balances, whole)
        tokens = min(wanted_output_tokens, max(LIKELY_OUTPUT_TOKENS, least_output_tokens))
        likely = call.price.of(Usage(input_tokens, tokens))
        if left is not None and (share := min(left, max(left / 2, likely))) < whole:
            granted = affordable(call.price, share, input_tokens, wanted_output_tokens)
            enough = granted >= min(least_output_tokens, wanted_output_tokens)
            amount = call.price.of(Usage(input_tokens, granted)) if enough else Decimal(0)
            await accounts_store.add(uow, spender.mandate_id, accounts, reserved=amount - whole)
            if not enough:
                unreserved = affordable(call.price, left + balance.reserved, input_tokens, wanted_output_tokens)
                waits = unreserved >= min(least_output_tokens, wanted_output_tokens)
                raise _exceeded(scope, limits, balance, ReservedBudget if waits else BudgetExceeded)
    reservation = Reservation(new_id(), at, spender, call, input_tokens, granted, amount)
    expected = replace(call, price=call.price.at(Usage(input_tokens)))
    await reservations.insert(uow, replace(reservation, call=expected))
    return reservation


async def settle(
    uow: UnitOfWork,
    reservation: Reservation,
    usage: Usage,
    *,
    outcome: Outcome,
    duration_ms: int,
    message_id: UUID | None = None,
    round: int | None = None,
    assumed: bool = False,
) -> BillingTransaction:
    """Turn what was set aside into what it cost, in the ledger, on the accounts and with the run it was for. Settling again does
    nothing and answers what was billed."""
    mandate_id = reservation.spender.mandate_id
    held = await reservations.take(uow, mandate_id, reservation.id)
    if held is None:
        settled = await billing.get(uow, mandate_id, reservation.id)
        if settled is None:
            raise NotFound("There is no such reservation.")
        return settled
    implausible = not _is_believable(usage, held)
    if implausible:
        usage, assumed = held.most, True
    call = replace(reservation.call, price=reservation.call.price.at(usage), round=round or held.call.round)
    billed = replace(_billed(held, call, usage, message_id, outcome, duration_ms, assumed), implausible=implausible)
    if held.amount or billed.cost_chf:
        accounts = accounts_of(held.spender, held.at)
        await accounts_store.add(uow, mandate_id, accounts, spent=billed.cost_chf, reserved=-held.amount)
    await billing.insert(uow, billed)
    await billing.add_to_run(uow, billed)
    return billed


def _is_believable(usage: Usage, held: Reservation) -> bool:
    """Providers lie, or count in other units. A number that no such call can come to is marked, and billed as the most the
    call was allowed to use: that is what was set aside, so the budget holds, and one broken server cannot use up the month of
    an organisation in a ledger that is never corrected. A provider that charged more would charge for what its own limit
    forbids; the mark says where to compare its bill."""
    read = READ_AT_MOST * held.input_tokens + READ_BESIDES
    written = WRITTEN_AT_MOST * held.max_output_tokens + WRITTEN_BESIDES
    inputs = (usage.input_tokens, usage.cached_tokens, usage.written_tokens)
    return all(0 <= tokens <= read for tokens in inputs) and 0 <= usage.output_tokens <= written


async def bill(
    uow: UnitOfWork,
    spender: Spender,
    call: Call,
    usage: Usage,
    *,
    duration_ms: int,
    outcome: Outcome = Outcome.ANSWERED,
    message_id: UUID | None = None,
    assumed: bool = False,
) -> BillingTransaction:
    """For small calls whose cost is known only afterwards: they are counted, but nothing was asked before."""
    unreserved = Reservation(new_id(), now(), spender, call, 0, 0, Decimal(0))
    billed = _billed(unreserved, call, usage, message_id, outcome, duration_ms, assumed)
    if billed.cost_chf:
        accounts = accounts_of(spender, billed.at)
        await accounts_store.add(uow, spender.mandate_id, accounts, spent=billed.cost_chf)
    await billing.insert(uow, billed)
    return billed


async def left_open(uow: UnitOfWork, mandate_id: UUID, run_id: UUID) -> list[Reservation]:
    """Unsettled calls of a run, oldest first: the worker that takes the run over settles them as lost, by
    `Reservation.guess`."""
    return await reservations.of_run(uow, mandate_id, run_id)


def _billed(
    held: Reservation,
    call: Call,
    usage: Usage,
    message_id: UUID | None,
    outcome: Outcome,
    duration_ms: int,
    assumed: bool,
) -> BillingTransaction:
    cost = call.price.of(usage)
    unsure = assumed or call.price.assumed
    return BillingTransaction(
        held.id, held.at, held.spender, call, message_id, usage, cost, unsure, outcome, duration_ms
    )


def _tightest(
    limits: BudgetLimits, accounts: Sequence[Account], balances: Sequence[Balance], mine: Decimal
) -> tuple[BudgetScope, Amount, Balance]:
    """The account with the least left for a call whose own reservation is counted already."""
    tightest: tuple[BudgetScope, Amount, Balance] = (BudgetScope.RUN, None, Balance())
    for account, balance in zip(accounts, balances, strict=True):
        limit = limits.of(account.scope)
        if limit is None:
            continue
        left = limit - balance.spent - (balance.reserved - mine)
        if tightest[1] is None or left < tightest[1]:
            tightest = (account.scope, left, replace(balance, reserved=balance.reserved - mine))
    return tightest


def affordable(price: Price, left: Decimal, input_tokens: int, wanted_output_tokens: int) -> int:
    """How much may be written for that; below zero if not even the reading can be paid."""
    price = price.at(Usage(input_tokens))
    rest = left - price.of(Usage(input_tokens))
    if rest < 0:
        return -1
    return min(wanted_output_tokens, int(rest * 1_000_000 // price.output)) if price.output else wanted_output_tokens


def _exceeded(scope: BudgetScope, limits: BudgetLimits, balance: Balance, kind: type[BudgetExceeded]) -> BudgetExceeded:
    if scope is BudgetScope.MANDATE:  # what others spend is not for everybody to know
        return kind(USED_UP[scope], scope=scope.value)
    limit, spent = limits.of(scope), balance.spent + balance.reserved
    assert limit is not None
    return kind(USED_UP[scope], scope=scope.value, limit=format(limit, "f"), spent=format(spent, "f"))
