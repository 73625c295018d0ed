"""A PostgreSQL of one's own: what `db init --print` prints is enough, on the newest and on an older version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.command import run
from tests.faults.postgres import NEWEST, SIXTEEN, ForeignPostgres, foreign_postgres
from tests.faults.process import Workroom, free_port


@pytest.fixture(scope="module", params=[NEWEST, SIXTEEN], ids=["newest", "sixteen"])
def theirs(request: pytest.FixtureRequest) -> Iterator[ForeignPostgres]:
    with foreign_postgres(request.param) as server:
        server.psql(printed())
        yield server


def printed() -> str:
    sql = run("db", "init", "--print").fine()
    return sql.replace("CHANGE-ME-APPLICATION", "app word").replace("CHANGE-ME-MIGRATION", "migration word")


@pytest.fixture(scope="module")
def settings(theirs: ForeignPostgres) -> dict[str, str]:
    return {
        "DATABASE_URL": theirs.url("workroom_app", "app word", "workroom"),
        "MIGRATION_DATABASE_URL": theirs.url("workroom_migrate", "migration word", "workroom"),
    }


@pytest.fixture(scope="module")
def workroom(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workroom]:
    folder = tmp_path_factory.mktemp("own")
    applied = run("db", "migrate", DATA=folder, **settings).fine()
    assert "migration(s) applied." in applied
    with Workroom(folder / "data", **settings) as started:
        yield started


def test_it_can_be_printed_and_run_twice(theirs: ForeignPostgres) -> None:
    """A password was lost, or a right: the administrator runs it again, but for the database that is there already."""
    theirs.psql("\n".join(line for line in printed().splitlines() if not line.startswith("create database")))


def test_the_workspace_runs_on_it(workroom: Workroom) -> None:
    assert workroom.postgres_pid is None, "no embedded server beside it"
    assert not (workroom.data / "secrets.json").exists()
    with workroom.signed_in() as client:
        assert client.get("/api/session").json()["user"]["login"] == "admin"
    assert "local socket" in workroom.command("db", "status").fine()


def test_the_application_cannot_be_backed_up_by_half(
    workroom: Workroom, settings: dict[str, str], tmp_path: Path
) -> None:
    """Row-level security would leave out rows without a word."""
    workroom.command("db", "backup", tmp_path / "x.zip").refused(3, "BYPASSRLS", "--url")
    weak = workroom.command("db", "backup", tmp_path / "x.zip", "--url", settings["MIGRATION_DATABASE_URL"])
    weak.refused(5, "row-level security", "BYPASSRLS")
    assert list(tmp_path.iterdir()) == []


def test_without_the_migration_login_a_current_schema_is_enough(workroom: Workroom, settings: dict[str, str]) -> None:
    application = {"DATABASE_URL": settings["DATABASE_URL"]}
    with Workroom(workroom.data.with_name("second"), WORKER="false", **application) as second:
        assert second.is_ready(), "two servers on one database, each with its own folder"
    run("db", "migrate", DATA=workroom.data, PORT=free_port(), **application).refused(
        3, "WORKROOM_MIGRATION_DATABASE_URL"
    )


def test_several_mandates_and_the_last_administrator_of_one(workroom: Workroom) -> None:
    workroom.command("users", "add", "solo@example.org", "--new-mandate", "Solo").fine()
    workroom.command("users", "list").refused(2, "--mandate", "My organisation", "Solo")
    workroom.command("users", "list", "--mandate", "Nirvana").refused(2, "no mandate called Nirvana")
    assert workroom.command("users", "list", "--mandate", "solo").fine().count("@") == 1
    workroom.command("users", "suspend", "solo@example.org", "--mandate", "Solo").refused(2, "last administrator")
    workroom.command("users", "remove", "solo@example.org", "--yes", "--mandate", "Solo").refused(
        2, "last administrator"
    )
