"""Which files have to be looked into, and who is at it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork

# Nobody holds a file for an hour: what says so was written by a clock that has been set right since.
FREE = "(looking_until is null or looking_until < $1 or looking_until > $1 + interval '1 hour')"
WAITING = f"""select mandate_id, file_id, version, owner_id, created_at from files
    where looked < version and deleted_at is null and {FREE} order by created_at"""
# Only the oldest and the newest are considered, never the whole table: whoever comes after somebody's thousand files is
# among the newest. Whose turn it is is drawn by lot: by age alone, it would always be theirs who came first with many.
CLAIM = f"""
with waiting as (
    ({WAITING} limit 250) union ({WAITING} desc limit 250)
), fair as (
    select *, row_number() over (partition by mandate_id, owner_id order by created_at, file_id) as turn from waiting
)
update files f set looking_until = $2, looks = f.looks + 1, look_claim = f.look_claim + 1
from (select * from fair order by turn, random() limit $3) as chosen
where f.mandate_id = chosen.mandate_id and f.file_id = chosen.file_id
    and f.looked < f.version and {FREE}
returning f.mandate_id, f.file_id, f.version, f.owner_id, f.looks as tries, f.look_claim as claim"""


async def claim(uow: UnitOfWork, now: datetime, until: datetime, most: int) -> Sequence[Any]:
    return await uow.fetch(CLAIM, now, until, most)


async def reset(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    await uow.execute(
        "update files set looks = 0, looking_until = null where mandate_id = $1 and file_id = $2", mandate_id, file_id
    )


async def done(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    await uow.execute(
        "update files set looked = $3, looking_until = null where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        version,
    )


async def hold(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, claim: int, until: datetime) -> None:
    await uow.execute(
        "update files set looking_until = $5 where mandate_id = $1 and file_id = $2 and version = $3 and look_claim = $4"
        " and looked < version",
        mandate_id,
        file_id,
        version,
        claim,
        until,
    )


async def give_back(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, claim: int) -> None:
    """Nothing happens to what somebody else has taken since."""
    await uow.execute(
        "update files set looking_until = null, looks = greatest(looks - 1, 0), look_claim = look_claim + 1"
        " where mandate_id = $1 and file_id = $2 and version = $3 and look_claim = $4",
        mandate_id,
        file_id,
        version,
        claim,
    )
