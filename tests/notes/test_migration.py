"""Notes written before there was a trash are still there afterwards."""

from __future__ import annotations

from workroom.core.actors import UserActor
from workroom.core.ids import new_id
from workroom.db import Database, migrator
from workroom.db.testing import TestPostgres

BEFORE_THE_TRASH = 6


async def test_notes_survive_the_migration(postgres: TestPostgres) -> None:
    address = await postgres.empty()
    assert address.migration is not None
    await migrator.migrate(address.migration, migrator.shipped()[:BEFORE_THE_TRASH])
    mandate, role, user, instance, note = (new_id() for _ in range(5))
    db = await Database.connect(address.application)
    try:
        async with db.unit_of_work(UserActor(mandate, user)) as uow:
            for sql, args in (
                ("insert into mandates values ($1, 'Acme', now())", (mandate,)),
                ("insert into roles values ($1, $2, 'member', 'Member', '', true, '[]', now())", (mandate, role)),
                (
                    "insert into users (mandate_id, user_id, login, display_name, role_id, created_at)"
                    " values ($1, $2, 'bob', 'Bob', $3, now())",
                    (mandate, user, role),
                ),
                (
                    "insert into instances (mandate_id, instance_id, name, slug, created_at)"
                    " values ($1, $2, 'Lab', 'lab', now())",
                    (mandate, instance),
                ),
                (
                    "insert into notes (mandate_id, note_id, instance_id, owner_id, title, text, created_at)"
                    " values ($1, $2, $3, $4, 'Milk', 'two litres', now())",
                    (mandate, note, instance, user),
                ),
            ):
                await uow.execute(sql, *args)
        await migrator.migrate(address.migration)
        async with db.unit_of_work(UserActor(mandate, user)) as uow:
            row = await uow.fetchrow("select title, updated_at, deleted_at from notes where note_id = $1", note)
        assert row is not None
        assert (row["title"], row["updated_at"] is not None, row["deleted_at"]) == ("Milk", True, None)
    finally:
        await db.close()
        await postgres.drop(address)
