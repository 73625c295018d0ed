"""All SQL of notes."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level
from workroom.notes.types import Note

SELECT = """
select note_id as id, title, text, owner_id, created_at, updated_at, deleted_at
from notes where mandate_id = $1 and instance_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, note: Note) -> None:
    await uow.execute(
        "insert into notes (mandate_id, note_id, instance_id, owner_id, title, text, created_at, updated_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8)",
        mandate_id,
        note.id,
        instance_id,
        note.owner_id,
        note.title,
        note.text,
        note.created_at,
        note.updated_at,
    )


async def get(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, note_id: UUID, *, lock: bool = False
) -> Note | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and note_id = $3" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, note_id, writes=lock)
    return _note(row) if row else None


async def update(uow: UnitOfWork, mandate_id: UUID, note: Note) -> None:
    await uow.execute(
        "update notes set title = $3, text = $4, updated_at = $5, deleted_at = $6 where mandate_id = $1 and note_id = $2",
        mandate_id,
        note.id,
        note.title,
        note.text,
        note.updated_at,
        note.deleted_at,
    )


IN_SCOPE = " and ($3 or owner_id = $4 or instance_id = any($5))"


async def titled_in(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, scope: ListScope, text: str, most: int
) -> list[Note]:
    """Those whose titles stand in a text, the longest first; of one title the newest."""
    rows = await uow.fetch(
        SELECT + IN_SCOPE + " and deleted_at is null and position(lower(title) in lower($6)) > 0"
        " order by length(title) desc, updated_at desc limit $7",
        mandate_id,
        instance_id,
        *_args(scope),
        text,
        most,
    )
    return [_note(row) for row in rows]


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    scope: ListScope,
    request: PageRequest,
    *,
    deleted: bool,
    in_text: bool = True,
) -> Page[Note]:
    listing = Listing(
        SELECT + IN_SCOPE + " and deleted_at is " + ("not null" if deleted else "null"),
        [mandate_id, instance_id, *_args(scope)],
        sorts={"createdAt": moment("created_at"), "updatedAt": moment("updated_at"), "title": "lower(title)"},
        default_sort="createdAt",
        search=["title", "text"] if in_text else ["title"],
    )
    return (await page(uow, listing, request)).map(_note)


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from notes where deleted_at <= $1", before)


def _args(scope: ListScope) -> list[Any]:
    """What `IN_SCOPE` refers to."""
    return [scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)]


def _note(row: Any) -> Note:
    return Note(**{name: row[name] for name in Note.model_fields})
