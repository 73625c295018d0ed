"""All SQL of texts that wait for their digest by a model. Claims run as the system actor `sweep`, all else inside the mandate."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.work_scheduler import Load
from workroom.studio.types import DigestTask

OURS = "mandate_id = $1 and block_id = $2 and lease_epoch = $3 and lease_holder is not null and digest_for is not null"
DONE = f"digest_for = null, digest_tries = 0, {leases.GIVEN_BACK}"
FREE = f"b.deleted_at is null and {leases.free('b', '$1')}"
# What is in the trash waits there.
CLAIM = f"""{
    fair_claims.claiming(
        "digest",
        fair_claims.lanes(
            "(select mandate_id, digest_for as owner_id, deleted_at, lease_holder, not_before from content_blocks"
            " where digest_for is not null) b",
            FREE,
        ),
        f"select b.mandate_id, b.block_id, p.instance_id from content_blocks b join studio_projects p"
        " on p.mandate_id = b.mandate_id and p.project_id = b.project_id and p.deleted_at is null"
        f" where b.mandate_id = t.mandate_id and b.digest_for = t.owner_id and {FREE}"
        " order by b.not_before nulls first, b.block_id limit 1 for update of b skip locked",
    )
}
update content_blocks b set {leases.claimed("$1", "b.digest_tries", "b")}, digest_tries = b.digest_tries + 1
from chosen c where b.mandate_id = c.mandate_id and b.block_id = c.block_id
returning b.mandate_id, b.block_id, b.project_id, c.instance_id, c.lane as owner_id, b.version, b.lease_epoch as epoch,
    b.digest_tries as tries"""


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> DigestTask | None:
    row = await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), writes=True)
    return DigestTask(**dict(row)) if row else None


async def is_ours(uow: UnitOfWork, task: DigestTask) -> bool:
    """False when there is a newer text, or another worker has claimed it."""
    sql = f"select exists (select from content_blocks where {OURS})"
    return bool(await uow.fetchval(sql, task.mandate_id, task.block_id, task.epoch))


async def finish(uow: UnitOfWork, task: DigestTask, digest: str) -> bool:
    """False when the lease is not ours any more, or the block is in the trash: then nothing is stored."""
    changes = f"digest = $4, digest_by_model = true, {DONE}"
    return await _changed(uow, task, changes, digest, still="deleted_at is null")


async def give_up(uow: UnitOfWork, task: DigestTask) -> None:
    """The digest by rules stays."""
    await _changed(uow, task, DONE)


async def postpone(uow: UnitOfWork, task: DigestTask, wait: timedelta) -> None:
    await _changed(uow, task, "lease_holder = null, not_before = clock_timestamp() + $4::interval", wait)


async def release(uow: UnitOfWork, task: DigestTask) -> None:
    """Another worker may take it at once, and this try does not count."""
    await _changed(uow, task, f"{leases.GIVEN_BACK}, digest_tries = greatest(0, digest_tries - 1)")


async def release_failed(uow: UnitOfWork, task: DigestTask) -> None:
    await _changed(uow, task, leases.FAILED)


async def spend(uow: UnitOfWork, task: DigestTask, cost: Decimal) -> None:
    """On the project; before its blocks are touched, as all who write in a project do."""
    await uow.execute(
        "update studio_projects set digests_chf = digests_chf + $3 where mandate_id = $1 and project_id = $2",
        task.mandate_id,
        task.project_id,
        cost,
    )


async def _changed(uow: UnitOfWork, task: DigestTask, changes: str, *args: Any, still: str = "true") -> bool:
    """As long as it is ours."""
    sql = f"update content_blocks set {changes} where {OURS} and {still}"
    return bool(await uow.execute(sql, task.mandate_id, task.block_id, task.epoch, *args))
