"""The audit log: inserted in the transaction of what it tells, never changed."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page
from workroom.identity.types import AuditEntry, AuditFilter


async def insert(uow: UnitOfWork, mandate_id: UUID, entry: AuditEntry) -> None:
    await uow.execute(
        "insert into audit (mandate_id, entry_id, at, user_id, user_name, action, object_kind, object_id, details, address)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        entry.id,
        entry.at,
        entry.user_id,
        entry.user_name,
        entry.action,
        entry.object_kind,
        entry.object_id,
        json.dumps(dict(entry.details)),
        entry.address,
    )


async def listed(uow: UnitOfWork, mandate_id: UUID, request: PageRequest, filters: AuditFilter) -> Page[AuditEntry]:
    listing = Listing(
        "select entry_id as id, at, user_id, user_name, action, object_kind, object_id, details, address"
        " from audit where mandate_id = $1 and ($2::uuid is null or user_id = $2)"
        " and ($3::text is null or object_kind = $3) and ($4::text is null or action = $4)"
        " and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)"
        " and (not $7::boolean or user_id is null)",
        [
            mandate_id,
            filters.user_id,
            filters.object_kind,
            filters.action,
            filters.since,
            filters.until,
            filters.system,
        ],
        sorts={"at": "id::text"},  # ids are made in the order of time
        default_sort="at",
        search=["action", "user_name", "details::text"],
    )
    return (await page(uow, listing, request)).map(_entry)


def _entry(row: Any) -> AuditEntry:
    return AuditEntry(
        row["id"],
        row["at"],
        row["user_id"],
        row["user_name"],
        row["action"],
        row["object_kind"],
        row["object_id"],
        json.loads(row["details"]),
        row["address"],
    )
