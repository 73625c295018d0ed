"""Which files have to be scanned, and which worker has them (db/leases.py)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.work_scheduler import Load

WAITS = "scanned < version and deleted_at is null and slow = $5"
CLAIM = f"""{
    fair_claims.claiming(
        "scan",
        fair_claims.lanes("files", WAITS),
        f"select mandate_id, file_id from files where mandate_id = t.mandate_id and owner_id = t.owner_id and {WAITS}"
        f" and {leases.free(claimant='$1')} order by created_at, file_id limit 1 for update skip locked",
    )
}
update files f set {leases.claimed("$1", "f.scan_tries", "f")}, scan_tries = f.scan_tries + 1
from chosen c where f.mandate_id = c.mandate_id and f.file_id = c.file_id
returning f.mandate_id, f.file_id, f.version, f.owner_id, f.scan_tries as tries, f.lease_epoch as epoch"""
OURS = "mandate_id = $1 and file_id = $2 and version = $3 and lease_epoch = $4 and lease_holder is not null"


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load, slow: bool) -> Any | None:
    return await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), slow, writes=True)


async def reset(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    await uow.execute(
        f"update files set scan_tries = 0, {leases.GIVEN_BACK}, slow = false where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
    )


async def is_ours(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> bool:
    sql = f"select exists (select from files where {OURS} and scanned < version)"
    return bool(await uow.fetchval(sql, mandate_id, file_id, version, epoch))


async def done(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> bool:
    """False when the lease is not ours any more."""
    changed = await uow.execute(
        f"update files set scanned = $3, {leases.GIVEN_BACK} where {OURS}", mandate_id, file_id, version, epoch
    )
    return changed == 1


async def postpone(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int, seconds: float) -> None:
    await uow.execute(
        "update files set lease_holder = null, not_before = clock_timestamp() + make_interval(secs => $5)"
        f" where {OURS} and scanned < version",
        mandate_id,
        file_id,
        version,
        epoch,
        seconds,
    )


async def release_failed(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> None:
    await uow.execute(f"update files set {leases.FAILED} where {OURS}", mandate_id, file_id, version, epoch)


async def release(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> None:
    """Nothing happens to what another worker has claimed since."""
    await uow.execute(
        f"update files set {leases.GIVEN_BACK}, scan_tries = greatest(scan_tries - 1, 0), lease_epoch = lease_epoch + 1"
        f" where {OURS}",
        mandate_id,
        file_id,
        version,
        epoch,
    )


async def slow_down(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    await uow.execute(
        "update files set slow = true where mandate_id = $1 and file_id = $2 and version = $3",
        mandate_id,
        file_id,
        version,
    )
