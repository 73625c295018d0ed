"""The law in `row_locks.py`, on a transaction that breaks it and on those that keep it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.row_locks import RowLocks, parsed
from workroom.core.actors import UserActor
from workroom.db import Database

READ = "select name, role_id from roles where mandate_id = $1 and role_id = $2"
WRITE = "update roles set name = $3 where mandate_id = $1 and role_id = $2"


@pytest.fixture
def law(_row_locks: RowLocks) -> Iterator[RowLocks]:
    yield _row_locks
    _row_locks.broken.clear()


@pytest.mark.parametrize(
    ("read", "write", "broken"),
    [
        (READ, WRITE, True),
        (READ, "delete from roles where mandate_id = $1 and role_id = $2 and $3 <> ''", False),
        (READ + " for update", WRITE, False),
        (READ + " for no key update", WRITE, False),
        (READ.replace("roles", "users"), WRITE, False),
        (READ, WRITE + " and builtin", False),
        (READ, WRITE.replace("$3", "name || $3"), False),
    ],
)
async def test_what_was_read_is_locked_before_it_is_written(
    db: Database, law: RowLocks, read: str, write: str, broken: bool
) -> None:
    mandate_id, role_id = uuid4(), uuid4()
    async with db.unit_of_work(UserActor(mandate_id)) as uow:
        await uow.fetchrow(read.replace("name,", ""), mandate_id, role_id, writes="for" in read)
        await uow.execute(write, mandate_id, role_id, "New")
    assert bool(law.broken) == broken


def test_the_key_of_an_upsert_is_what_may_conflict() -> None:
    sql = "insert into memberships (mandate_id, instance_id, user_id, role_id) values ($1, $2, $3, $4)"
    sql += " on conflict (mandate_id, instance_id, user_id) do update set role_id = excluded.role_id"
    assert (parsed(sql).written, parsed(sql).keys) == ("memberships", (2, 3))
