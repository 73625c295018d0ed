"""How far files have come on their way into the index, and which worker has them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.work_scheduler import Load
from workroom.files.store.files import reached_file
from workroom.identity.sharing import ReadableScope
from workroom.knowledge.store import leases as knowledge_leases
from workroom.knowledge.types import IndexState, IndexStatus
from workroom.models.embeddings.ports import EmbedderInfo

STATUS = """select k.file_id, k.version, k.state, k.done, k.total, k.chunks, k.language, k.embedder, k.notes,
coalesce(k.problem_code, k.pages_problem_code) as problem_code, coalesce(k.problem, k.pages_problem) as problem, k.wanted,
k.cost_chf, k.cost_assumed, k.updated_at, k.unread, coalesce(k.pages_wanted, 0) as pages_wanted,
k.pages_done from knowledge_files k"""

WORDED = "(k.file_id is not null and k.version = f.version and k.state in ('extracted', 'embedding'))"
WAITS = "indexed < version and scanned >= version and deleted_at is null and slow = {slow}"
WAITING = """select f.mandate_id, f.file_id, f.instance_id, f.version, f.hash, f.media_type, f.owner_id
    from files f left join knowledge_files k on k.mandate_id = f.mandate_id and k.file_id = f.file_id
    where f.indexed < f.version and f.scanned >= f.version and f.deleted_at is null and f.slow = {slow}
        and (k.file_id is null or {free} or k.version < f.version)"""

OLDEST = f"""select * from ({WAITING.format(slow="$5", free=leases.free("k", "$1"))}
    and f.mandate_id = t.mandate_id and f.owner_id = t.owner_id and {{wordless}}
    order by f.created_at, f.file_id limit 1 for update of f skip locked) o"""

# Of one person's files, what cannot be found at all before what only lacks vectors, which a model may take hours for; asked one
# after the other, so that an index gives each. A row is made for what has none; a version that is newer begins anew, and what the
# older one said is not found from then on.
CLAIM = f"""{
    fair_claims.claiming(
        "index",
        fair_claims.lanes("files", WAITS.format(slow="$5")),
        f"({OLDEST.format(wordless=f'not {WORDED}')}) union all ({OLDEST.format(wordless=WORDED)}) limit 1",
    )
}
insert into knowledge_files as k
    (mandate_id, file_id, instance_id, owner_id, version, hash, media_type, state, lease_holder, tries, lease_epoch, updated_at)
select mandate_id, file_id, instance_id, owner_id, version, hash, media_type, 'pending', $1, 1, 1, now() from chosen
on conflict (mandate_id, file_id) do update set
    {leases.claimed("$1", "case when k.version = excluded.version then k.tries else 0 end", "k")},
    tries = case when k.version = excluded.version then k.tries + 1 else 1 end,
    state = case when k.version = excluded.version and k.state in ('extracted', 'embedding') then k.state else 'pending' end,
    chunks = case when k.version = excluded.version then k.chunks else 0 end,
    length = case when k.version = excluded.version then k.length else 0 end,
    unread = case when k.version = excluded.version then k.unread else 0 end,
    recognised = case when k.version = excluded.version then k.recognised else 0 end,
    pages_wanted = case when k.version = excluded.version then k.pages_wanted end,
    pages_done = case when k.version = excluded.version then k.pages_done else 0 end,
    pages_tries = case when k.version = excluded.version then k.pages_tries else 0 end,
    pages_problem_code = case when k.version = excluded.version then k.pages_problem_code end,
    pages_problem = case when k.version = excluded.version then k.pages_problem end,
    version = excluded.version, hash = excluded.hash, media_type = excluded.media_type, wanted = null
    where {leases.free("k", "$1")} or k.version < excluded.version
returning k.mandate_id, k.file_id, k.instance_id, k.owner_id, k.version, k.hash, k.media_type, k.state, k.tries,
    k.lease_epoch as epoch, $5 as slow"""


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> Any | None:
    """Across mandates, as the system actor `sweep`."""
    return await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), False, writes=True)


async def claim_slow(uow: UnitOfWork, worker_id: UUID, load: Load) -> Any | None:
    """The same among files that took too long at the first try."""
    return await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), True, writes=True)


async def is_anything_new(uow: UnitOfWork) -> bool:
    """Whether `claim` would find something, as the system actor `sweep`."""
    sql = f"select exists ({WAITING.format(slow='false', free=leases.free('k'))})"
    return bool(await uow.fetchval(sql))


async def is_anything_wordless(uow: UnitOfWork, *, slow: bool) -> bool:
    """Whether there is a file among these whose words cannot be found yet."""
    sql = f"select exists ({WAITING.format(slow='$1', free=leases.free('k'))} and not {WORDED})"
    return bool(await uow.fetchval(sql, slow))


async def hold(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> bool:
    """Whether it is ours, as long as it is on its way into the index."""
    still = "k.state not in ('indexed', 'failed')"
    return await knowledge_leases.hold(uow, mandate_id, file_id, version, epoch, still=still)


async def release(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, epoch: int) -> None:
    await knowledge_leases.release(uow, mandate_id, file_id, epoch, "tries")


async def progress(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, state: IndexState, done: int, total: int, now: datetime
) -> None:
    await uow.execute(
        "update knowledge_files set state = $3, done = $4, total = $5, updated_at = $6"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        state,
        done,
        total,
        now,
    )


async def finish(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, embedder: EmbedderInfo | None, now: datetime
) -> None:
    await uow.execute(
        "update knowledge_files set state = 'indexed', embedder = $3, dimensions = $4, done = chunks, total = chunks,"
        " problem = null, problem_code = null, wanted = null, setbacks = 0, updated_at = $5,"
        f" {leases.GIVEN_BACK}"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        embedder.ref if embedder else None,
        embedder.dimensions if embedder else None,
        now,
    )
    await _indexed(uow, mandate_id, file_id, version)


async def fail(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, code: str, problem: str, now: datetime
) -> None:
    """What earlier versions said is not searched any more either."""
    await uow.execute(
        "update knowledge_files set state = 'failed', problem_code = $3, problem = $4, wanted = null,"
        f" updated_at = $5, {leases.GIVEN_BACK}"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        code,
        problem,
        now,
    )
    await _indexed(uow, mandate_id, file_id, version)


async def again(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, *, renewed: bool = False) -> bool:
    """It will be indexed anew. False when a worker is at it; `renewed`: also when that makes the vectors of another model, whose
    later writes are then refused."""
    begun = await uow.execute(
        f"update knowledge_files set state = 'pending', tries = 0, lease_epoch = lease_epoch + 1, wanted = null,"
        f" {leases.GIVEN_BACK}"
        " where mandate_id = $1 and file_id = $2 and (state in ('indexed', 'failed') or $3 and wanted is not null)",
        mandate_id,
        file_id,
        renewed,
    )
    if begun:
        await uow.execute("update files set indexed = 0 where mandate_id = $1 and file_id = $2", mandate_id, file_id)
    return begun == 1


async def spend(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, cost: Decimal, *, assumed: bool) -> None:
    """What some of its vectors have cost, beside what they cost so far."""
    await uow.execute(
        "update knowledge_files set cost_chf = cost_chf + $3, cost_assumed = cost_assumed or $4"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        cost,
        assumed,
    )


async def chunks(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> int:
    sql = "select chunks from knowledge_files where mandate_id = $1 and file_id = $2"
    return await uow.fetchval(sql, mandate_id, file_id) or 0


async def of_files(uow: UnitOfWork, mandate_id: UUID, file_ids: Sequence[UUID]) -> list[IndexStatus]:
    rows = await uow.fetch(STATUS + " where k.mandate_id = $1 and k.file_id = any($2)", mandate_id, file_ids)
    return [IndexStatus(**dict(row)) for row in rows]


async def readable(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, file_ids: Sequence[UUID]
) -> list[IndexStatus]:
    """Only of files that may be read from there: those of that workspace, and what everybody shares."""
    rows = await uow.fetch(
        STATUS + " join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id"
        f" where k.mandate_id = $1 and k.file_id = any($9) and f.deleted_at is null and {reached_file(3, 'f')}",
        mandate_id,
        instance_id,
        *reach.args,
        file_ids,
    )
    return [IndexStatus(**dict(row)) for row in rows]


async def twin(
    uow: UnitOfWork,
    mandate_id: UUID,
    file_id: UUID,
    hash: str,
    media_type: str,
    embedder: EmbedderInfo,
    recognised: int | None = None,
) -> UUID | None:
    """Another file of the mandate that has the same content in the index already, with vectors of this model; and with all that
    was recognised in it, if that is said."""
    found: UUID | None = await uow.fetchval(
        "select file_id from knowledge_files where mandate_id = $1 and hash = $2 and media_type = $3 and file_id <> $4"
        " and embedder = $5 and dimensions = $6 and (state = 'indexed' or wanted is not null)"
        " and ($7::int is null or recognised = $7) order by updated_at limit 1",
        mandate_id,
        hash,
        media_type,
        file_id,
        embedder.ref,
        embedder.dimensions,
        recognised,
    )
    return found


async def _indexed(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    await uow.execute(
        "update files set indexed = $3 where mandate_id = $1 and file_id = $2", mandate_id, file_id, version
    )
