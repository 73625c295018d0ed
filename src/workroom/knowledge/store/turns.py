"""Whose turn it is among files that are in the index and for which something is still to be done: everybody's oldest before
anybody's second, by lot among these, and never the whole table (as for new files, states.py). And who has them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork


def claiming(waits: str, change: str, returned: str) -> str:
    """Takes $3 of them at $1, until $2. `waits`: which files of `k` wait; `change`: what else becomes of their rows; `returned`:
    what is told of them beside what everybody needs."""
    free = f"{waits} and (k.held_until is null or k.held_until < $1)"
    waiting = f"""select k.mandate_id, k.file_id, k.owner_id, k.updated_at
        from knowledge_files k join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id
        where {free} and f.version = k.version and f.indexed = f.version and f.deleted_at is null and f.status <> 'archived'
        order by k.updated_at"""
    return f"""with waiting as (
            ({waiting} limit 250) union ({waiting} desc limit 250)
        ), fair as (
            select *, row_number() over (partition by mandate_id, owner_id order by updated_at, file_id) as turn from waiting
        ), chosen as (select * from fair order by turn, random() limit $3)
        update knowledge_files k set held_until = $2, claim = k.claim + 1, {change}
        from chosen c where k.mandate_id = c.mandate_id and k.file_id = c.file_id and {free}
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
