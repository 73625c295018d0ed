"""Notes: write and find. A note is seen by the members of its workspace."""

from __future__ import annotations

from uuid import UUID

from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require, scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name, clean_text
from workroom.identity.types import Action, Principal
from workroom.notes import store
from workroom.notes.types import Note

KEY = "data.note"
LONGEST_TEXT = 20_000


class Notes:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, who: Principal, instance_id: UUID, request: PageRequest) -> Page[Note]:
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            return await store.listed(uow, who.mandate_id, instance_id, scope(who, Action.READ, KEY), request)


async def write(uow: UnitOfWork, who: Principal, instance_id: UUID, title: str, text: str) -> Note:
    """In the caller's transaction."""
    assert who.user_id is not None
    await require_instance(uow, who, instance_id)
    require(who, Action.CREATE, Target(KEY, who.user_id, frozenset({instance_id})))
    note = Note(
        id=new_id(),
        title=clean_name(title, "title"),
        text=clean_text(text, "text", LONGEST_TEXT),
        owner_id=who.user_id,
        created_at=now(),
    )
    await store.insert(uow, who.mandate_id, instance_id, note)
    return note
