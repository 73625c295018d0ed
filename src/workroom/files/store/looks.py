"""Which files have to be looked into, and who is at it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.taking import Load
from workroom.db import UnitOfWork, fair_claims

# Nobody holds a file for an hour: what says so was written by a clock that has been set right since.
FREE = "(looking_until is null or looking_until < $1 or looking_until > $1 + interval '1 hour')"
WAITS = "looked < version and deleted_at is null and slow = $6"
CLAIM = f"""{
    fair_claims.claiming(
        "look",
        fair_claims.lanes("files", WAITS),
        f"select mandate_id, file_id from files where mandate_id = t.mandate_id and owner_id = t.owner_id and {WAITS}"
        f" and {FREE} order by created_at, file_id limit 1 for update skip locked",
    )
}
update files f set looking_until = $2, looks = f.looks + 1, look_claim = f.look_claim + 1
from chosen c where f.mandate_id = c.mandate_id and f.file_id = c.file_id
returning f.mandate_id, f.file_id, f.version, f.owner_id, f.looks as tries, f.look_claim as claim"""


async def claim(uow: UnitOfWork, now: datetime, until: datetime, load: Load, slow: bool) -> Any | None:
    return await uow.fetchrow(CLAIM, now, until, *fair_claims.load(load), slow, writes=True)


async def reset(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    await uow.execute(
        "update files set looks = 0, looking_until = null, slow = false where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
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


async def slow_down(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    await uow.execute(
        "update files set slow = true where mandate_id = $1 and file_id = $2 and version = $3",
        mandate_id,
        file_id,
        version,
    )
