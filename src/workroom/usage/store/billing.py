"""The ledger: one line per call, written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.core.tokens import Usage
from workroom.db import UnitOfWork
from workroom.usage.store.rows import COLUMNS, call_of, spender_of, values
from workroom.usage.types import BillingTransaction, Outcome

ALL = f"""{COLUMNS}, billing_id, at, message_id, input_tokens, output_tokens, cached_tokens, written_tokens,
cost_chf, assumed, outcome, duration_ms, implausible"""


async def insert(uow: UnitOfWork, billed: BillingTransaction) -> None:
    await uow.execute(
        f"insert into billing ({ALL}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
        " $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)",
        *values(billed.spender, billed.call),
        billed.id,
        billed.at,
        billed.message_id,
        billed.usage.input_tokens,
        billed.usage.output_tokens,
        billed.usage.cached_tokens,
        billed.usage.written_tokens,
        billed.cost_chf,
        billed.assumed,
        billed.outcome,
        billed.duration_ms,
        billed.implausible,
    )


async def add_to_run(uow: UnitOfWork, billed: BillingTransaction) -> None:
    """Beside the line itself: what lists and summaries show of the run it was for, if it was for one."""
    if billed.spender.run_id is None:
        return
    await uow.execute(
        "update runs set input_tokens = input_tokens + $3, output_tokens = output_tokens + $4, cost_chf = cost_chf + $5,"
        " cost_assumed = cost_assumed or $6 where mandate_id = $1 and run_id = $2",
        billed.spender.mandate_id,
        billed.spender.run_id,
        billed.usage.input_tokens,
        billed.usage.output_tokens,
        billed.cost_chf,
        billed.assumed and billed.cost_chf > 0,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, billing_id: UUID) -> BillingTransaction | None:
    row = await uow.fetchrow(
        f"select {ALL} from billing where mandate_id = $1 and billing_id = $2", mandate_id, billing_id
    )
    return billed_of(row) if row else None


async def of_runs(uow: UnitOfWork, mandate_id: UUID, run_ids: Sequence[UUID]) -> dict[UUID, list[BillingTransaction]]:
    """By run, in the order in which the calls began."""
    rows = await uow.fetch(
        f"select {ALL} from billing where mandate_id = $1 and run_id = any($2) order by at, billing_id",
        mandate_id,
        list(run_ids),
    )
    found: dict[UUID, list[BillingTransaction]] = {}
    for row in rows:
        found.setdefault(row["run_id"], []).append(billed_of(row))
    return found


async def lost_attempts(uow: UnitOfWork, mandate_id: UUID, run_id: UUID, round: int) -> int:
    """Of the run itself, not of its tools, which count no attempts."""
    value: int = await uow.fetchval(
        "select count(distinct attempt) from billing where mandate_id = $1 and run_id = $2 and round = $3 and outcome = $4",
        mandate_id,
        run_id,
        round,
        Outcome.LOST,
    )
    return value


def billed_of(row: Any) -> BillingTransaction:
    return BillingTransaction(
        row["billing_id"],
        row["at"],
        spender_of(row),
        call_of(row),
        row["message_id"],
        Usage(row["input_tokens"], row["output_tokens"], row["cached_tokens"], row["written_tokens"]),
        row["cost_chf"],
        row["assumed"],
        Outcome(row["outcome"]),
        row["duration_ms"],
        row["implausible"],
    )
