"""Two mandates in one database: neither sees, changes, nor guesses anything of the other."""

from __future__ import annotations

import asyncpg
import pytest

from tests.world import World
from workroom.core.actors import SystemActor, UserActor
from workroom.core.errors import ConfigurationError, Conflict
from workroom.db import Database, DatabaseAddress
from workroom.db.connection import connect
from workroom.db.roles import require_plain_login

TABLES = ("mandates", "roles", "users", "instances", "memberships", "sessions", "api_tokens", "login_links", "audit")


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("table", TABLES)
async def test_without_a_mandate_there_are_no_rows(world: World, address: DatabaseAddress, table: str) -> None:
    connection = await connect(address.application)
    try:
        assert await connection.fetchval(f"select count(*) from workroom.{table}") == 0
    finally:
        await connection.close()


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("table", TABLES)
async def test_a_mandate_sees_exactly_its_own_rows(world: World, table: str) -> None:
    for mandate in (world.acme, world.zeta):
        async with world.services.db.unit_of_work(UserActor(mandate.id)) as uow:
            owners = await uow.fetch(f"select distinct mandate_id from {table}")
        if table not in ("api_tokens", "login_links"):
            assert {row["mandate_id"] for row in owners} == {mandate.id}
        assert all(row["mandate_id"] == mandate.id for row in owners)


@pytest.mark.requirement("N2")
async def test_rows_of_another_mandate_cannot_be_changed_or_planted(world: World) -> None:
    async with world.services.db.unit_of_work(UserActor(world.zeta.id)) as uow:
        assert await uow.execute("update users set display_name = 'x' where mandate_id = $1", world.acme.id) == 0
        assert await uow.execute("delete from users where mandate_id = $1", world.acme.id) == 0
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with world.services.db.unit_of_work(UserActor(world.zeta.id)) as uow:
            await uow.execute(
                "insert into memberships (mandate_id, instance_id, user_id, created_at) values ($1, $2, $3, now())",
                world.acme.id,
                world.instances["lab"].id,
                world["alice"].user.id,
            )


@pytest.mark.requirement("N2")
async def test_a_foreign_key_does_not_reveal_that_an_id_exists_elsewhere(world: World) -> None:
    """Pointing at another mandate's row fails exactly as pointing at nothing does."""
    for role_id in (world.roles["lab-admin"].id, world["bob"].user.id):
        with pytest.raises(Conflict):
            async with world.services.db.unit_of_work(UserActor(world.zeta.id)) as uow:
                await uow.execute("update users set role_id = $1 where user_id = $2", role_id, world["yann"].user.id)


async def test_the_mandate_does_not_stick_to_the_connection(world: World, address: DatabaseAddress) -> None:
    db = await Database.connect(address.application, max_size=1)
    try:
        async with db.unit_of_work(UserActor(world.acme.id)) as uow:
            assert await uow.fetchval("select count(*) from users") == 4
        async with db.unit_of_work(SystemActor.SWEEP) as uow:
            assert await uow.fetchval("select current_setting('workroom.mandate', true)") in (None, "")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with db.unit_of_work(SystemActor.SWEEP) as uow:
                await uow.fetchval("select count(*) from users")
    finally:
        await db.close()


async def test_system_actors_have_nothing_outside_their_transaction(address: DatabaseAddress) -> None:
    """The application's role does not inherit: reading across mandates takes an explicit change of role."""
    connection = await connect(address.application)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.fetch("select * from workroom.login_attempts")
    finally:
        await connection.close()


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("login", ["administration", "migration"])
async def test_powerful_logins_are_refused(address: DatabaseAddress, login: str) -> None:
    connection = await connect(getattr(address, login))
    try:
        with pytest.raises(ConfigurationError, match=r"superuser|owner"):
            await require_plain_login(connection)
    finally:
        await connection.close()


async def test_a_login_exempt_from_row_level_security_is_refused(address: DatabaseAddress) -> None:
    assert address.administration is not None
    connection = await connect(address.administration)
    try:
        await connection.execute("create role exempt login bypassrls; set session authorization exempt")
        with pytest.raises(ConfigurationError, match="row-level security"):
            await require_plain_login(connection)
    finally:
        await connection.execute("reset session authorization; drop role exempt")
        await connection.close()
