"""Files with pages that are pictures whose text is to be recognised: which they are, whose turn it is, and how far they are.

Meanwhile a file stays in the index as it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.contents import store as content_store
from workroom.contents.types import ContentKey
from workroom.db import UnitOfWork, fair_claims
from workroom.db.work_scheduler import Load
from workroom.files.scans import SCANNED_JOB
from workroom.knowledge.store import leases as knowledge_leases
from workroom.knowledge.store import states

# Tries are counted until a page is done: a file that ends its process each time is not begun for ever.
WAITS = "k.pages_wanted > 0 and k.state = 'indexed'"
CLAIM = knowledge_leases.claiming(
    "recognise",
    WAITS,
    "k.pages_tries",
    "pages_tries = k.pages_tries + 1",
    "k.pages_tries as tries, k.pages_wanted - k.pages_done as pages",
)

# A worker that reads or embeds it meanwhile keeps its lease.
FREED_IF_INDEXED = """lease_holder = case when state = 'indexed' then null else lease_holder end,
    not_before = case when state = 'indexed' then null else not_before end"""
OVER = f"""update knowledge_files set pages_wanted = 0, pages_done = 0, pages_tries = 0,
    pages_problem_code = $3, pages_problem = $4, {FREED_IF_INDEXED},
    lease_epoch = lease_epoch + case when state = 'indexed' then 1 else 0 end, updated_at = $5
    where mandate_id = $1 and file_id = $2 and pages_wanted > 0"""


async def begin(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, most: int) -> None:
    """By itself, when there are no more than that and this version was not begun. Where there are more it waits to be
    asked for, however few are left one day."""
    begun = await uow.execute(
        "update knowledge_files set pages_wanted = case when unread <= $3 then unread else 0 end, pages_done = 0"
        " where mandate_id = $1 and file_id = $2 and pages_wanted is null and unread > 0",
        mandate_id,
        file_id,
        most,
    )
    if begun:
        await uow.wake(SCANNED_JOB)


async def ask(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, most: int) -> None:
    """The first so many. Nothing happens if it is asked for already. Who waits for the vectors of another model, after that went
    wrong, does not keep it waiting."""
    await uow.execute(
        "update knowledge_files set pages_wanted = least(unread, $3), pages_done = 0, pages_tries = 0, pages_problem = null,"
        f" pages_problem_code = null, {FREED_IF_INDEXED}"
        " where mandate_id = $1 and file_id = $2 and unread > 0 and coalesce(pages_wanted, 0) = 0",
        mandate_id,
        file_id,
        most,
    )


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> Any | None:
    """Across mandates, as the system actor `sweep`."""
    return await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), writes=True)


async def does_anybody_else_wait(uow: UnitOfWork, mandate_id: UUID, owner_id: UUID) -> bool:
    """For pages of theirs, as the system actor `sweep`."""
    others = f"select exists ({knowledge_leases.waiting(WAITS)} and (k.mandate_id, k.owner_id) <> ($1, $2))"
    return bool(await uow.fetchval(others, mandate_id, owner_id))


async def hold(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, epoch: int) -> bool:
    """Whether it is ours, as long as pages are wanted."""
    return await knowledge_leases.hold(uow, mandate_id, file_id, version, epoch, still="k.pages_wanted > 0")


async def release(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, epoch: int) -> None:
    await knowledge_leases.release(uow, mandate_id, file_id, epoch, "pages_tries")


async def advance(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, now: datetime) -> None:
    """One page more is done."""
    await uow.execute(
        "update knowledge_files set pages_done = least(pages_done + 1, pages_wanted), pages_tries = 0, updated_at = $3"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        now,
    )


async def end(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, now: datetime, code: str | None = None, problem: str | None = None
) -> bool:
    """Done, or called off; what was recognised till then is found. False when nothing was wanted."""
    ended = await uow.execute(OVER, mandate_id, file_id, code, problem, now)
    await catch_up(uow, mandate_id, file_id)
    return ended == 1


async def catch_up(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> bool:
    """Whether more was recognised than its passages know of: then it is cut into passages anew, from what is kept. Not what is
    being indexed, which catches up at its end, nor what could not be."""
    row = await uow.fetchrow(
        "select hash, media_type, recognised from knowledge_files where mandate_id = $1 and file_id = $2"
        " and (state = 'indexed' or wanted is not null) for update",
        mandate_id,
        file_id,
        writes=True,
    )
    if row is None:
        return False
    known = await content_store.recognised(uow, ContentKey(mandate_id, row["hash"], row["media_type"]))
    return known > row["recognised"] and await states.again(uow, mandate_id, file_id, renewed=True)


async def twins(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> Sequence[UUID]:
    """The file and those of equal content."""
    rows = await uow.fetch(
        "select t.file_id from knowledge_files k join knowledge_files t"
        " on t.mandate_id = k.mandate_id and t.hash = k.hash and t.media_type = k.media_type"
        " where k.mandate_id = $1 and k.file_id = $2",
        mandate_id,
        file_id,
    )
    return [row["file_id"] for row in rows]


async def note(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, unread: int, recognised: int) -> None:
    """How many pages are left, and what its passages know of."""
    await uow.execute(
        "update knowledge_files set unread = $3, recognised = $4 where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        unread,
        recognised,
    )
