"""The law in `read_only.py`, on statements that break it and on those that keep it; and what holds rights follows from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.read_only import ReadOnlyReads
from tests.world import World
from workroom.core.actors import UserActor
from workroom.core.errors import RightsChanged

LOCK = "select from runs for update"
CHANGE = "update runs set rounds = 0 returning run_id"
HIDDEN = "with gone as (delete from runs returning run_id) select count(*) from gone"
FUNCTION = "select lo_create(0)"  # a read by its words, a write by what the function does


@pytest.fixture
def law(_read_only: ReadOnlyReads) -> Iterator[ReadOnlyReads]:
    yield _read_only
    _read_only.broken.clear()


@pytest.mark.parametrize(
    ("sql", "writes", "broken"),
    [
        ("select count(*) from runs where state = 'for update'", False, False),
        ("with seen as (select run_id from runs) select count(*) from seen", False, False),
        ("select pg_advisory_xact_lock(1)", False, False),
        *((sql, False, True) for sql in (LOCK, CHANGE, HIDDEN, FUNCTION)),
        *((sql, True, False) for sql in (LOCK, CHANGE, HIDDEN, FUNCTION)),
    ],
)
async def test_what_is_sent_as_a_read_does_not_write(
    world: World, law: ReadOnlyReads, sql: str, writes: bool, broken: bool
) -> None:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        await uow.fetch(sql, writes=writes)
    assert bool(law.broken) == broken


async def test_rights_are_held_before_writes_and_not_before_reads(world: World) -> None:
    """Somebody whose rights have changed since they were read still reads, and does not write."""
    stale = UserActor(world.acme.id, world["bob"].user.id, rights_version=-1)
    async with world.services.db.unit_of_work(stale) as uow:
        assert await uow.fetchval("select count(*) from runs") == 0
        with pytest.raises(RightsChanged):
            await uow.fetch(HIDDEN, writes=True)
    async with world.services.db.unit_of_work(stale) as uow:
        with pytest.raises(RightsChanged):
            await uow.execute("delete from runs")
