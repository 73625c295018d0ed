"""Locks that several processes respect: taken by one, released by the end of the block or of the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from workroom.core.errors import DatabaseUnavailable
from workroom.db import DatabaseAddress
from workroom.db.connection import connect
from workroom.db.locks import AdvisoryLocks, LockTaken


@pytest.fixture
async def here(address: DatabaseAddress) -> AsyncIterator[AdvisoryLocks]:
    made = AdvisoryLocks(address.application)
    yield made
    await made.close()


@pytest.fixture
async def elsewhere(address: DatabaseAddress) -> AsyncIterator[AdvisoryLocks]:
    made = AdvisoryLocks(address.application)
    yield made
    await made.close()


async def test_one_holds_it_here_and_elsewhere(here: AdvisoryLocks, elsewhere: AdvisoryLocks) -> None:
    async with here.hold("a") as held, here.hold("b"):
        held.require()
        for others in (here, elsewhere):
            with pytest.raises(LockTaken):
                async with others.hold("a"):
                    pytest.fail("two hold it")
        held.require()
    async with elsewhere.hold("a"), elsewhere.hold("b"):
        pass


async def test_what_fails_inside_releases_it(here: AdvisoryLocks, elsewhere: AdvisoryLocks) -> None:
    with pytest.raises(ZeroDivisionError):
        async with here.hold("a"):
            raise ZeroDivisionError
    async with elsewhere.hold("a"):
        pass


async def test_a_lost_connection_loses_its_locks_and_says_so(
    here: AdvisoryLocks, elsewhere: AdvisoryLocks, address: DatabaseAddress
) -> None:
    async with here.hold("a") as held:
        await _end_connections(address)
        async with elsewhere.hold("a"):
            with pytest.raises(DatabaseUnavailable):
                held.require()
            # The next one gets a new connection, and the old hold takes nothing with it when it ends.
            async with here.hold("b") as other:
                other.require()
    async with here.hold("a") as held:
        held.require()


async def test_cancelled_while_taking_it_nobody_has_it(here: AdvisoryLocks, elsewhere: AdvisoryLocks) -> None:
    async def hold() -> None:
        async with here.hold("a"):
            await asyncio.Event().wait()

    async with here.hold("connected"):
        taking = asyncio.create_task(hold())
        await asyncio.sleep(0)  # it has begun to ask
        taking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await taking
        async with elsewhere.hold("a"):
            pass


async def test_without_a_database_nothing_is_held() -> None:
    locks = AdvisoryLocks("postgresql://nobody@127.0.0.1:1/none")
    for _ in range(2):
        with pytest.raises(DatabaseUnavailable):
            async with locks.hold("a"):
                pytest.fail("it is held")
    await locks.close()


async def _end_connections(address: DatabaseAddress) -> None:
    connection = await connect(address.administration or "")
    try:
        ended = await connection.fetchval(
            "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()
    assert ended
