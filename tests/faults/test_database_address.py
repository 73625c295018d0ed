"""A PostgreSQL of one's own that is not there, not ours, too bare, too old or too new: exit code 5 (3 for settings)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.faults.command import Outcome, run
from tests.faults.postgres import DEBIAN, foreign_postgres
from tests.faults.process import free_port
from workroom.db import DatabaseAddress
from workroom.db.connection import connect
from workroom.db.testing import TestPostgres

SECRET = "very-secret-word"


def serve_with(tmp_path: Path, url: str, migration: str | None = None) -> Outcome:
    outcome = run("serve", DATA=tmp_path / "data", PORT=free_port(), DATABASE_URL=url, MIGRATION_DATABASE_URL=migration)
    assert SECRET not in outcome.out + outcome.err, "passwords are not shown"
    return outcome


def changed(url: str, *, password: str | None = None, database: str | None = None) -> str:
    parts = urlsplit(url)
    login = parts.netloc if password is None else f"{parts.username}:{password}@"
    return urlunsplit(parts._replace(netloc=login, path=parts.path if database is None else f"/{database}"))


def test_nothing_listens_there(tmp_path: Path) -> None:
    url = f"postgresql://workroom_app:{SECRET}@127.0.0.1:{free_port()}/workroom"
    serve_with(tmp_path, url).refused(5, "cannot be reached", "WORKROOM_DATABASE_URL")


def test_no_such_host(tmp_path: Path) -> None:
    url = f"postgresql://workroom_app:{SECRET}@nowhere.invalid/workroom"
    serve_with(tmp_path, url).refused(5, "cannot be reached", "WORKROOM_DATABASE_URL")


def test_wrong_password(tmp_path: Path, address: DatabaseAddress) -> None:
    serve_with(tmp_path, changed(address.application, password=SECRET)).refused(5, "refused the login", "password")


def test_unknown_database(tmp_path: Path, address: DatabaseAddress) -> None:
    outcome = serve_with(tmp_path, changed(address.application, database="nirvana"))
    outcome.refused(5, '"nirvana" does not exist', "workroom db init --print")


@pytest.mark.parametrize("url", ["mysql://a:b@127.0.0.1/x", "workroom.db", "http://127.0.0.1:5432/workroom"])
def test_not_an_address_of_postgres(tmp_path: Path, url: str) -> None:
    serve_with(tmp_path, url).refused(3, "WORKROOM_DATABASE_URL must look like postgresql://")


@pytest.mark.parametrize(
    "url", ["postgresql://a:b@127.0.0.1:abc/x", "postgresql://a:b@127.0.0.1:99999/x", "postgresql://a:b@[::1/x"]
)
def test_an_address_with_an_impossible_port(tmp_path: Path, url: str) -> None:
    serve_with(tmp_path, url).refused(3, "WORKROOM_DATABASE_URL")


def test_a_superuser_is_refused(tmp_path: Path, address: DatabaseAddress) -> None:
    assert address.administration
    outcome = serve_with(tmp_path, address.administration)
    outcome.refused(3, "postgres is a superuser", "workroom db init --print")


def test_the_migration_login_is_refused_for_daily_work(tmp_path: Path, address: DatabaseAddress) -> None:
    assert address.migration
    serve_with(tmp_path, address.migration).refused(3, "workroom_migrate is the owner", "workroom db init --print")


async def test_a_schema_that_is_too_old(tmp_path: Path, postgres: TestPostgres) -> None:
    empty = await postgres.empty()
    outcome = serve_with(tmp_path, empty.application)
    outcome.refused(5, "behind this version", "WORKROOM_MIGRATION_DATABASE_URL", "workroom db migrate")


async def test_a_schema_that_is_too_new(tmp_path: Path, address: DatabaseAddress) -> None:
    await _administer(address, "insert into workroom.migrations (number, name, checksum) values (9999, 'later', 'x')")
    for migration in (None, address.migration):
        outcome = serve_with(tmp_path, address.application, migration)
        outcome.refused(5, "newer version", "9999", "Upgrade")
    run("db", "status", DATABASE_URL=address.application, DATA=tmp_path).refused(5, "newer version")


async def test_a_migration_that_is_not_the_one_that_ran(tmp_path: Path, address: DatabaseAddress) -> None:
    await _administer(address, "update workroom.migrations set checksum = 'other' where number = 1")
    outcome = serve_with(tmp_path, address.application, address.migration)
    outcome.refused(5, "Migration 0001", "not the one this database was made with", "Reinstall")


@pytest.fixture(scope="module")
def without_pgvector() -> Iterator[tuple[str, str]]:
    with foreign_postgres(DEBIAN) as server:
        server.psql(
            f"create role workroom_app login password '{SECRET}'; create role workroom_migrate login password '{SECRET}';"
            "create database workroom"
        )
        yield server.url("workroom_app", SECRET, "workroom"), server.url("workroom_migrate", SECRET, "workroom")


@pytest.mark.parametrize("may_migrate", [False, True])
def test_no_pgvector(tmp_path: Path, without_pgvector: tuple[str, str], may_migrate: bool) -> None:
    application, migration = without_pgvector
    outcome = serve_with(tmp_path, application, migration if may_migrate else None)
    outcome.refused(5, "pgvector", "create extension vector")


async def _administer(address: DatabaseAddress, statement: str) -> None:
    connection = await connect(address.administration or "")
    await connection.execute(statement)
    await connection.close()
