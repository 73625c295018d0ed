"""Claims of files that are in the index and for which something is still to be done, and who has them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork, fair_claims

FREE = "(k.held_until is null or k.held_until < $1)"


def waiting(waits: str) -> str:
    """Files that nobody holds at $1. `waits`: which files of `k` wait."""
    return f"""select k.mandate_id, k.file_id
        from knowledge_files k join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id
        where {waits} and {FREE} and f.version = k.version and f.indexed = f.version and f.deleted_at is null
            and f.status <> 'archived'"""


def claiming(work: str, waits: str, change: str, returned: str) -> str:
    """Takes the next of them. `change`: what else becomes of its row; `returned`: what is told of it beside what everybody
    needs."""
    oldest = f"""{waiting(waits)} and k.mandate_id = t.mandate_id and k.owner_id = t.owner_id
        order by k.updated_at, k.file_id limit 1 for update of k skip locked"""
    return f"""{fair_claims.claiming(work, fair_claims.lanes("knowledge_files k", waits), oldest)}
        update knowledge_files k set held_until = $2, claim = k.claim + 1, {change}
        from chosen c where k.mandate_id = c.mandate_id and k.file_id = c.file_id
        returning k.mandate_id, k.file_id, k.instance_id, k.owner_id, k.version, k.hash, k.media_type, k.state,
            k.claim, {returned}"""


async def hold(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, claim: int, until: datetime, *, still: str
) -> bool:
    """For a while longer. False when it is gone, in the trash or replaced, when somebody else has taken it since, or when `still`
    does not hold of `k` any more. Who is at it is known by the number of their claim."""
    return (
        await uow.execute(
            "update knowledge_files k set held_until = $5 from files f where k.mandate_id = $1 and k.file_id = $2"
            f" and k.version = $3 and k.claim = $4 and {still}"
            " and f.mandate_id = $1 and f.file_id = $2 and f.version = $3 and f.deleted_at is null",
            mandate_id,
            file_id,
            version,
            claim,
            until,
        )
        == 1
    )
