"""Units of work: all or nothing, and honest about a database that is away."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

from workroom.core.actors import UserActor
from workroom.core.errors import DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.db import Database, DatabaseAddress
from workroom.db.connection import connect

ACTOR = UserActor(new_id())
INSERT = "insert into mandates (mandate_id, name, created_at) values ($1, 'x', now())"


async def _exists(db: Database) -> bool:
    async with db.unit_of_work(ACTOR) as uow:
        return bool(await uow.fetchval("select count(*) from mandates"))


async def test_an_error_undoes_everything(db: Database) -> None:
    with pytest.raises(ValueError, match="changed my mind"):
        async with db.unit_of_work(ACTOR) as uow:
            await uow.execute(INSERT, ACTOR.mandate_id)
            raise ValueError("changed my mind")
    assert not await _exists(db)


async def test_cancelling_undoes_everything_and_frees_the_connection(address: DatabaseAddress) -> None:
    db = await Database.connect(address.application, max_size=1)
    entered = asyncio.Event()

    async def work() -> None:
        async with db.unit_of_work(ACTOR) as uow:
            await uow.execute(INSERT, ACTOR.mandate_id)
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not await _exists(db)
    await db.close()


async def test_a_swallowed_error_does_not_pass_for_a_commit(db: Database) -> None:
    with pytest.raises(RuntimeError, match="rolled back"):
        async with db.unit_of_work(ACTOR) as uow:
            await uow.execute(INSERT, ACTOR.mandate_id)
            with contextlib.suppress(asyncpg.PostgresError):
                await uow.execute("select no_such_function()")
    assert not await _exists(db)


async def test_connections_that_died_while_idle_are_replaced(db: Database, address: DatabaseAddress) -> None:
    """The server may end idle connections at any time; the next unit of work must not pay for it."""
    async with db.unit_of_work(ACTOR) as one, db.unit_of_work(ACTOR) as two:
        pids = [await one.fetchval("select pg_backend_pid()"), await two.fetchval("select pg_backend_pid()")]

    async def end() -> None:
        assert address.administration is not None
        administrator = await connect(address.administration)
        await administrator.execute("select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid", pids)
        await administrator.close()

    # On a thread of its own, and waited for without giving our loop a chance to hear of it.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, end()).result()
    async with db.unit_of_work(ACTOR) as uow:
        assert await uow.fetchval("select pg_backend_pid()") not in pids


async def test_a_database_nobody_answers_at_is_one_sentence() -> None:
    with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
        await Database.connect("postgresql://workroom_app:secret@127.0.0.1:1/workroom")


async def test_no_message_carries_the_password() -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        await Database.connect("postgresql://workroom_app:geheim123@127.0.0.1:1/workroom")
    assert "geheim123" not in str(caught.value)
    assert caught.value.__suppress_context__


async def test_an_address_shows_no_password(address: DatabaseAddress) -> None:
    assert "postgresql://" not in repr(address)
