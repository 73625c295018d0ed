"""All SQL of notes."""

from __future__ import annotations

from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import Scope
from workroom.identity.types import Level
from workroom.notes.types import Note


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, note: Note) -> None:
    await uow.execute(
        "insert into notes (mandate_id, note_id, instance_id, owner_id, title, text, created_at)"
        " values ($1, $2, $3, $4, $5, $6, $7)",
        mandate_id,
        note.id,
        instance_id,
        note.owner_id,
        note.title,
        note.text,
        note.created_at,
    )


async def listed(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, scope: Scope, request: PageRequest
) -> Page[Note]:
    listing = Listing(
        "select note_id as id, title, text, owner_id, created_at from notes where mandate_id = $1 and instance_id = $2"
        " and ($3 or owner_id = $4 or instance_id = any($5))",
        [mandate_id, instance_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)],
        sorts={"createdAt": moment("created_at"), "title": "lower(title)"},
        default_sort="createdAt",
        search=["title", "text"],
    )
    found = await page(uow, listing, request)
    return found.map(lambda row: Note(**{name: row[name] for name in Note.model_fields}))
