"""Notes: write, read, change, delete, restore. A note is seen by the members of its workspace.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name, clean_text
from workroom.identity.types import Action, Principal
from workroom.identity.workspace_items import WorkspaceItems
from workroom.notes import store
from workroom.notes.types import Note

KEY = "data.note"
LONGEST_TEXT = 20_000
NOTES = WorkspaceItems("note", KEY, ChangeKind.NOTE, store.get, store.update)


class Notes:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self,
        principal: Principal,
        instance_id: UUID,
        request: PageRequest,
        *,
        deleted: bool = False,
        in_text: bool = True,
    ) -> Page[Note]:
        """`deleted` lists the trash: only what one could have put there oneself. Without `in_text` only titles are searched."""
        reach = scope(principal, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(
                uow, principal.mandate_id, instance_id, reach, request, deleted=deleted, in_text=in_text
            )

    async def get(self, principal: Principal, instance_id: UUID, note_id: UUID, action: Action = Action.READ) -> Note:
        """The note, if this may be done to it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await NOTES.checked(uow, principal, action, instance_id, note_id)

    async def write(self, principal: Principal, instance_id: UUID, title: str, text: str) -> Note:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await write(uow, principal, instance_id, title, text)

    async def change(
        self,
        principal: Principal,
        instance_id: UUID,
        note_id: UUID,
        title: str | None = None,
        text: str | None = None,
        seen: datetime | None = None,
    ) -> Note:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await change(uow, principal, instance_id, note_id, title=title, text=text, seen=seen)

    async def delete(self, principal: Principal, instance_id: UUID, note_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await NOTES.move_to_trash(uow, principal, instance_id, note_id)

    async def restore(self, principal: Principal, instance_id: UUID, note_id: UUID) -> Note:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await NOTES.restore(uow, principal, instance_id, note_id)


async def write(uow: UnitOfWork, principal: Principal, instance_id: UUID, title: str, text: str) -> Note:
    owner_id, moment = await NOTES.require_create(uow, principal, instance_id), now()
    note = Note(
        id=new_id(),
        title=clean_name(title, "title"),
        text=clean_text(text, "text", LONGEST_TEXT),
        owner_id=owner_id,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, principal.mandate_id, instance_id, note)
    await NOTES.announce(uow, principal, instance_id, note)
    return note


async def change(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    note_id: UUID,
    *,
    title: str | None = None,
    text: str | None = None,
    seen: datetime | None = None,
) -> Note:
    """`seen` is the `updated_at` the change was made from: when another change was faster, nothing is overwritten."""
    note = await NOTES.checked(uow, principal, Action.UPDATE, instance_id, note_id, lock=True)
    if seen is not None and seen != note.updated_at:
        raise Conflict("The note was changed in the meantime. Nothing was overwritten: read it again, then change it.")
    return await NOTES.update(
        uow,
        principal,
        instance_id,
        note,
        title=note.title if title is None else clean_name(title, "title"),
        text=note.text if text is None else clean_text(text, "text", LONGEST_TEXT),
    )
