"""Notes: write, read, change, delete, restore. A note is seen by the members of its workspace.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
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

    async def list(
        self, who: Principal, instance_id: UUID, request: PageRequest, *, deleted: bool = False
    ) -> Page[Note]:
        """`deleted` lists the trash: only what one could have put there oneself."""
        reach = scope(who, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            return await store.listed(uow, who.mandate_id, instance_id, reach, request, deleted=deleted)

    async def get(self, who: Principal, instance_id: UUID, note_id: UUID, action: Action = Action.READ) -> Note:
        """The note, if this may be done to it."""
        async with self._db.unit_of_work(who.actor) as uow:
            return await checked(uow, who, action, instance_id, note_id)

    async def write(self, who: Principal, instance_id: UUID, title: str, text: str) -> Note:
        async with self._db.unit_of_work(who.actor) as uow:
            return await write(uow, who, instance_id, title, text)

    async def change(
        self,
        who: Principal,
        instance_id: UUID,
        note_id: UUID,
        title: str | None = None,
        text: str | None = None,
        seen: datetime | None = None,
    ) -> Note:
        async with self._db.unit_of_work(who.actor) as uow:
            return await change(uow, who, instance_id, note_id, title=title, text=text, seen=seen)

    async def delete(self, who: Principal, instance_id: UUID, note_id: UUID) -> None:
        async with self._db.unit_of_work(who.actor) as uow:
            await delete(uow, who, instance_id, note_id)

    async def restore(self, who: Principal, instance_id: UUID, note_id: UUID) -> Note:
        """Whoever may delete may take it back; restoring what is not in the trash changes nothing."""
        async with self._db.unit_of_work(who.actor) as uow:
            note = await checked(uow, who, Action.DELETE, instance_id, note_id, lock=True, trash=True)
            return note if note.deleted_at is None else await _stored(uow, who, instance_id, note, deleted_at=None)


async def write(uow: UnitOfWork, who: Principal, instance_id: UUID, title: str, text: str) -> Note:
    assert who.user_id is not None
    await require_instance(uow, who, instance_id)
    require(who, Action.CREATE, Target(KEY, who.user_id, frozenset({instance_id})))
    moment = now()
    note = Note(
        id=new_id(),
        title=clean_name(title, "title"),
        text=clean_text(text, "text", LONGEST_TEXT),
        owner_id=who.user_id,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, who.mandate_id, instance_id, note)
    await _announce(uow, who, instance_id, note)
    return note


async def change(
    uow: UnitOfWork,
    who: Principal,
    instance_id: UUID,
    note_id: UUID,
    *,
    title: str | None = None,
    text: str | None = None,
    seen: datetime | None = None,
) -> Note:
    """`seen` is the `updated_at` the change was made from: when somebody else was faster, nothing is overwritten."""
    note = await checked(uow, who, Action.UPDATE, instance_id, note_id, lock=True)
    if seen is not None and seen != note.updated_at:
        raise Conflict("The note was changed in the meantime. Nothing was overwritten: read it again, then change it.")
    return await _stored(
        uow,
        who,
        instance_id,
        note,
        title=note.title if title is None else clean_name(title, "title"),
        text=note.text if text is None else clean_text(text, "text", LONGEST_TEXT),
    )


async def delete(uow: UnitOfWork, who: Principal, instance_id: UUID, note_id: UUID) -> Note:
    """Into the trash, where it stays for thirty days (`notes/jobs.py`)."""
    note = await checked(uow, who, Action.DELETE, instance_id, note_id, lock=True)
    return await _stored(uow, who, instance_id, note, deleted_at=now())


async def checked(
    uow: UnitOfWork,
    who: Principal,
    action: Action,
    instance_id: UUID,
    note_id: UUID,
    *,
    lock: bool = False,
    trash: bool = False,
) -> Note:
    """A note of another workspace, or one in the trash, is as good as none."""
    await require_instance(uow, who, instance_id)
    note = await store.get(uow, who.mandate_id, instance_id, note_id, lock=lock)
    if note is None or (note.deleted_at is not None and not trash):
        raise NotFound("There is no such note here, or it is not yours to see.")
    require(who, action, Target(KEY, note.owner_id, frozenset({instance_id})))
    return note


async def _stored(uow: UnitOfWork, who: Principal, instance_id: UUID, note: Note, **changes: object) -> Note:
    changed = note.model_copy(update={**changes, "updated_at": now()})
    await store.update(uow, who.mandate_id, changed)
    await _announce(uow, who, instance_id, changed)
    return changed


async def _announce(uow: UnitOfWork, who: Principal, instance_id: UUID, note: Note) -> None:
    change = Change(
        mandate_id=who.mandate_id, kind=ChangeKind.NOTE, id=note.id, owner_id=note.owner_id, instance_id=instance_id
    )
    await uow.announce(change)
