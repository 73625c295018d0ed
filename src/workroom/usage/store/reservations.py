"""Reservations: calls under way, with what they may cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.usage.store.rows import COLUMNS, call_of, spender_of, values
from workroom.usage.types import Reservation

ALL = f"{COLUMNS}, reservation_id, at, input_tokens, max_output_tokens, amount"


async def insert(uow: UnitOfWork, reservation: Reservation) -> None:
    await uow.execute(
        f"insert into reservations ({ALL})"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)",
        *values(reservation.spender, reservation.call),
        reservation.id,
        reservation.at,
        reservation.input_tokens,
        reservation.max_output_tokens,
        reservation.amount,
    )


async def take(uow: UnitOfWork, mandate_id: UUID, reservation_id: UUID) -> Reservation | None:
    """Takes a reservation: read and deleted at once, so it is settled exactly once."""
    row = await uow.fetchrow(
        f"delete from reservations where mandate_id = $1 and reservation_id = $2 returning {ALL}",
        mandate_id,
        reservation_id,
        writes=True,
    )
    return _reservation(row) if row else None


async def of_run(uow: UnitOfWork, mandate_id: UUID, run_id: UUID) -> list[Reservation]:
    """All of them locked before any account is: a worker that has lost the run may be settling one of them at this moment, and
    has locked it before its accounts."""
    rows = await uow.fetch(
        f"select {ALL} from reservations where mandate_id = $1 and run_id = $2 order by at, reservation_id for update",
        mandate_id,
        run_id,
        writes=True,
    )
    return [_reservation(row) for row in rows]


async def left_behind(
    uow: UnitOfWork, alive: Sequence[str], of_runs_before: datetime, of_none_before: datetime, limit: int
) -> list[Reservation]:
    """As the sweeping actor: old ones whose run is in none of the states `alive`, or that never had a run."""
    rows = await uow.fetch(
        f"select {ALL} from reservations where at < $2 and not exists (select from runs r where"
        " r.mandate_id = reservations.mandate_id and r.run_id = reservations.run_id and r.state = any($1))"
        " and (run_id is not null or at < $3) order by at limit $4",
        list(alive),
        of_runs_before,
        of_none_before,
        limit,
    )
    return [_reservation(row) for row in rows]


def _reservation(row: Any) -> Reservation:
    return Reservation(
        row["reservation_id"],
        row["at"],
        spender_of(row),
        call_of(row),
        row["input_tokens"],
        row["max_output_tokens"],
        row["amount"],
    )
