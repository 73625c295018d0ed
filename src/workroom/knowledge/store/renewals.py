"""Files whose vectors are of another model than the one that counts now: which they are, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.work_scheduler import Load
from workroom.knowledge.store.leases import claiming
from workroom.models.embeddings.ports import EmbedderInfo

MOST_DOUBLED = 20

CLAIM = claiming(
    "renew",
    "k.wanted is not null",
    "k.setbacks",
    "state = 'embedding', total = k.chunks, done = case when k.state = 'embedding' then k.done else 0 end",
    "k.tries, k.wanted",
)


@dataclass(frozen=True)
class RenewalGroup:
    """Files with one owner in one workspace, for whom one model counts."""

    mandate_id: UUID
    owner_id: UUID
    instance_id: UUID


@dataclass(frozen=True)
class Vectors:
    """What files of a group have, and what they wait for."""

    embedder: str | None
    dimensions: int | None
    wanted: str | None

    def are_of(self, info: EmbedderInfo) -> bool:
        return (self.embedder, self.dimensions) == (info.ref, info.dimensions)


async def groups(uow: UnitOfWork, mandate_id: UUID | None) -> dict[RenewalGroup, set[Vectors]]:
    """Of one mandate or of all, as the system actor `sweep`: one statement, however many files there are."""
    rows = await uow.fetch(
        "select distinct mandate_id, owner_id, instance_id, embedder, dimensions, wanted from knowledge_files"
        " where chunks > 0 and (state = 'indexed' or wanted is not null) and ($1::uuid is null or mandate_id = $1)",
        mandate_id,
    )
    found: dict[RenewalGroup, set[Vectors]] = {}
    for row in rows:
        group = RenewalGroup(row["mandate_id"], row["owner_id"], row["instance_id"])
        found.setdefault(group, set()).add(Vectors(row["embedder"], row["dimensions"], row["wanted"]))
    return found


async def mark(uow: UnitOfWork, group: RenewalGroup, info: EmbedderInfo) -> int:
    """Those of the group with other vectors shall get these. What a worker writes that makes others for them is refused from
    now on."""
    return await uow.execute(
        f"update knowledge_files set wanted = $4, state = 'indexed', {leases.GIVEN_BACK}, lease_epoch = lease_epoch + 1,"
        " setbacks = 0,"
        " problem = null, problem_code = null where mandate_id = $1 and owner_id = $2 and instance_id = $3 and chunks > 0"
        " and (state = 'indexed' or wanted is not null) and wanted is distinct from $4"
        " and (embedder is distinct from $4 or dimensions is distinct from $5)",
        group.mandate_id,
        group.owner_id,
        group.instance_id,
        info.ref,
        info.dimensions,
    )


async def unwanted(uow: UnitOfWork, group: RenewalGroup, info: EmbedderInfo) -> list[UUID]:
    """Those of the group that wait for others, and have these."""
    rows = await uow.fetch(
        "select file_id from knowledge_files where mandate_id = $1 and owner_id = $2 and instance_id = $3"
        " and wanted is not null and embedder = $4 and dimensions = $5",
        group.mandate_id,
        group.owner_id,
        group.instance_id,
        info.ref,
        info.dimensions,
    )
    return [row["file_id"] for row in rows]


async def drop(uow: UnitOfWork, mandate_id: UUID, file_ids: Sequence[UUID], now: datetime) -> Sequence[Any]:
    """They stay with what they have. Answers what that is, and which `state` they were in."""
    return await uow.fetch(
        "with before as (select file_id, version, owner_id, tries, lease_epoch, state, embedder, dimensions from knowledge_files"
        " where mandate_id = $1 and file_id = any($2) and wanted is not null order by file_id for update)"
        " update knowledge_files k set wanted = null, state = 'indexed', done = chunks, total = chunks,"
        f" {leases.GIVEN_BACK}, lease_epoch = k.lease_epoch + 1, setbacks = 0, problem = null,"
        " problem_code = null, updated_at = $3 from before b where k.mandate_id = $1 and k.file_id = b.file_id returning b.*",
        mandate_id,
        list(file_ids),
        now,
        writes=True,
    )


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> Any | None:
    """Across mandates, as the system actor `sweep`."""
    return await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), writes=True)


async def postpone(
    uow: UnitOfWork,
    mandate_id: UUID,
    file_id: UUID,
    epoch: int,
    code: str,
    problem: str,
    now: datetime,
    pause: timedelta,
    longest: timedelta,
) -> bool:
    """With the old vectors until then; each time the pause is twice as long. False when it is not ours any more."""
    row = await uow.fetchrow(
        "update knowledge_files set state = 'indexed', done = chunks, total = chunks, problem_code = $4, problem = $5,"
        " lease_holder = null, not_before = clock_timestamp()"
        f" + least($7::interval * power(2, least(setbacks, {MOST_DOUBLED})), $8::interval),"
        " setbacks = setbacks + 1, updated_at = $6"
        " where mandate_id = $1 and file_id = $2 and lease_epoch = $3 and wanted is not null"
        " returning owner_id, wanted",
        mandate_id,
        file_id,
        epoch,
        code,
        problem,
        now,
        pause,
        longest,
        writes=True,
    )
    if row is None:
        return False
    # What went wrong for one would go wrong for the next of theirs as well.
    await uow.execute(
        "update knowledge_files set not_before = clock_timestamp() + $4::interval where mandate_id = $1 and owner_id = $2"
        " and wanted = $3 and (not_before is null or not_before < clock_timestamp() + $4::interval) and state = 'indexed'",
        mandate_id,
        row["owner_id"],
        row["wanted"],
        pause,
    )
    return True
