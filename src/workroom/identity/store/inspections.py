"""Inspections: who looks into what a person keeps private, since when and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.objects import PRIVATE
from workroom.identity.types import Inspection, PrivateReader

SELECT = """
select i.inspection_id as id, i.inspector_id, i.inspector_name, i.subject_id,
    (select u.display_name from users u where u.mandate_id = i.mandate_id and u.user_id = i.subject_id) as subject_name,
    i.reason, i.began_at, i.ends_at
from inspections i where i.mandate_id = $1"""
# Of the person with this session: only while they have the right, and never for their tokens and answers.
INSPECTED = """array(select i.subject_id from inspections i
    where i.mandate_id = u.mandate_id and i.inspector_id = u.user_id and i.ends_at > now()) as inspects"""


async def insert(uow: UnitOfWork, mandate_id: UUID, made: Inspection) -> None:
    await uow.execute(
        "insert into inspections (mandate_id, inspection_id, inspector_id, inspector_name, subject_id, reason, began_at, ends_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8)",
        mandate_id,
        made.id,
        made.inspector_id,
        made.inspector_name,
        made.subject_id,
        made.reason,
        made.began_at,
        made.ends_at,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, inspection_id: UUID) -> Inspection | None:
    row = await uow.fetchrow(SELECT + " and i.inspection_id = $2", mandate_id, inspection_id)
    return _inspection(row) if row else None


async def end(uow: UnitOfWork, mandate_id: UUID, inspection_id: UUID, now: datetime) -> bool:
    """False when it has ended already."""
    sql = "update inspections set ends_at = $3 where mandate_id = $1 and inspection_id = $2 and ends_at > $3"
    return await uow.execute(sql, mandate_id, inspection_id, now) == 1


async def listed(uow: UnitOfWork, mandate_id: UUID, user_id: UUID | None, request: PageRequest) -> Page[Inspection]:
    listing = Listing(
        SELECT + " and (i.inspector_id = $2 or i.subject_id = $2)",
        [mandate_id, user_id],
        sorts={"beganAt": moment("began_at")},
        default_sort="beganAt",
        search=["inspector_name", "subject_name", "reason"],
    )
    return (await page(uow, listing, request)).map(_inspection)


async def readers(uow: UnitOfWork, mandate_id: UUID) -> Sequence[PrivateReader]:
    rows = await uow.fetch(
        "select u.user_id, u.display_name, r.name as role_name from users u"
        " join roles r on r.mandate_id = u.mandate_id and r.role_id = u.role_id"
        " where u.mandate_id = $1 and u.status = 'active' and r.rules @> $2::jsonb order by lower(u.display_name), u.user_id",
        mandate_id,
        json.dumps([{"objectKey": PRIVATE, "level": "ALL"}]),
    )
    return [PrivateReader(**dict(row)) for row in rows]


def _inspection(row: Any) -> Inspection:
    return Inspection(**{name: row[name] for name in Inspection.__dataclass_fields__})
