"""Leases of files in the index or on their way into it (db/leases.py): claims of those that are in it and for which something is
still to be done, and what all kinds of work on them share."""

from __future__ import annotations

from uuid import UUID

from workroom.db import UnitOfWork, fair_claims, leases

OURS = "mandate_id = $1 and file_id = $2 and lease_epoch = $3 and lease_holder is not null"


def waiting(waits: str, claimant: str | None = None) -> str:
    """Files that are free. `waits`: which files of `k` wait."""
    return f"""select k.mandate_id, k.file_id
        from knowledge_files k join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id
        where {waits} and {leases.free("k", claimant)} and f.version = k.version and f.indexed = f.version
            and f.deleted_at is null and f.status <> 'archived'"""


def claiming(work: str, waits: str, tries: str, change: str, returned: str) -> str:
    """Claims the next of them. `tries`: how often that was in vain; `change`: what else becomes of its row; `returned`: what is
    answered of it beside what all kinds of work need."""
    oldest = f"""{waiting(waits, "$1")} and k.mandate_id = t.mandate_id and k.owner_id = t.owner_id
        order by k.updated_at, k.file_id limit 1 for update of k skip locked"""
    return f"""{fair_claims.claiming(work, fair_claims.lanes("knowledge_files k", waits), oldest)}
        update knowledge_files k set {leases.claimed("$1", tries, "k")}, {change}
        from chosen c where k.mandate_id = c.mandate_id and k.file_id = c.file_id
        returning k.mandate_id, k.file_id, k.instance_id, k.owner_id, k.version, k.hash, k.media_type, k.state,
            k.lease_epoch as epoch, {returned}"""


async def hold(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int, *, still: str) -> bool:
    """Whether the lease is ours, and stays so until the transaction ends. False when the file is gone, in the trash or replaced,
    when another worker has claimed it since, or when `still` does not hold of `k` any more."""
    row = await uow.fetchrow(
        "select from knowledge_files k join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id"
        " where k.mandate_id = $1 and k.file_id = $2 and k.version = $3 and k.lease_epoch = $4 and k.lease_holder is not null"
        f" and {still} and f.version = $3 and f.deleted_at is null for no key update of k",
        mandate_id,
        file_id,
        version,
        epoch,
        writes=True,
    )
    return row is not None


async def postpone(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, epoch: int, seconds: float) -> None:
    """Released; the next try comes after so many seconds."""
    await uow.execute(
        "update knowledge_files set lease_holder = null, not_before = clock_timestamp() + make_interval(secs => $4)"
        f" where {OURS}",
        mandate_id,
        file_id,
        epoch,
        seconds,
    )


async def release_failed(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, epoch: int) -> None:
    await uow.execute(f"update knowledge_files set {leases.FAILED} where {OURS}", mandate_id, file_id, epoch)


async def release(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, epoch: int, tries: str) -> None:
    """Another worker may take it at once, and this try does not count. What is given back is not written to any more.
    `tries`: the column that counts them."""
    await uow.execute(
        f"update knowledge_files set {leases.GIVEN_BACK}, {tries} = greatest({tries} - 1, 0), lease_epoch = lease_epoch + 1"
        f" where {OURS}",
        mandate_id,
        file_id,
        epoch,
    )
