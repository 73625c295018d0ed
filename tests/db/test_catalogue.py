"""Laws over the database's own catalogue: they hold for every table there is, also for those nobody has written yet."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
import pytest

import workroom
from workroom.db import DatabaseAddress
from workroom.db.connection import connect

NOT_TENANT_DATA = {"migrations", "login_attempts", "platform_instructions", "workers"}
TENANT_TABLES = """
select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'workroom'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'mandate_id'"""


@pytest.fixture
async def catalogue(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection[Any]]:
    assert address.administration is not None
    connection = await connect(address.administration)
    yield connection
    await connection.close()


@pytest.mark.requirement("N2")
async def test_every_table_belongs_to_a_mandate_or_is_a_known_exception(catalogue: asyncpg.Connection[Any]) -> None:
    everything = await catalogue.fetch(
        "select relname from pg_class where relnamespace = 'workroom'::regnamespace and relkind in ('r', 'p', 'm', 'v')"
    )
    tenant = {row["relname"] for row in await catalogue.fetch(TENANT_TABLES)}
    assert {row["relname"] for row in everything} == tenant | NOT_TENANT_DATA


@pytest.mark.requirement("N2")
async def test_every_tenant_table_has_its_forced_policy(catalogue: asyncpg.Connection[Any]) -> None:
    rows = await catalogue.fetch(
        f"select t.relname, c.relrowsecurity, c.relforcerowsecurity, (select count(*) from pg_policy p where p.polrelid = t.oid"
        f" and p.polname = 'tenant' and p.polcmd = '*' and p.polroles = '{{0}}' and pg_get_expr(p.polqual, t.oid) like"
        f" '%mandate_id = ( SELECT (NULLIF(current_setting(''workroom.mandate''%') as tenant_policies"
        f" from ({TENANT_TABLES}) t join pg_class c on c.oid = t.oid"
    )
    assert rows
    for row in rows:
        assert row["relrowsecurity"], f"{row['relname']} has no row-level security"
        assert row["relforcerowsecurity"], f"{row['relname']} does not force it for its owner"
        assert row["tenant_policies"] == 1, f"{row['relname']} was not given to protect()"


@pytest.mark.requirement("N2")
async def test_every_key_of_tenant_data_begins_with_the_mandate(catalogue: asyncpg.Connection[Any]) -> None:
    rows = await catalogue.fetch(
        f"select t.relname, i.relname as key, (select attname from pg_attribute where attrelid = t.oid and attnum = x.indkey[0])"
        f" as first from ({TENANT_TABLES}) t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid"
        f" where x.indisunique"
    )
    assert {row["relname"] for row in rows} >= {"users", "sessions", "audit"}
    for row in rows:
        assert row["first"] == "mandate_id", f"{row['relname']}.{row['key']} begins with {row['first']}"


@pytest.mark.requirement("N2")
async def test_foreign_keys_between_tenant_tables_carry_the_mandate(catalogue: asyncpg.Connection[Any]) -> None:
    rows = await catalogue.fetch(
        f"select t.relname, k.conname, (select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1])"
        f" as here, (select attname from pg_attribute where attrelid = k.confrelid and attnum = k.confkey[1]) as there"
        f" from ({TENANT_TABLES}) t join pg_constraint k on k.conrelid = t.oid where k.contype = 'f'"
    )
    assert rows
    for row in rows:
        assert (row["here"], row["there"]) == ("mandate_id", "mandate_id"), f"{row['relname']}: {row['conname']}"


async def test_system_actors_reach_only_named_tables(catalogue: asyncpg.Connection[Any]) -> None:
    """The whole reach of the roles that see all mandates, spelled out: adding to it means changing this test."""
    rows = await catalogue.fetch(
        "select grantee::text, table_name::text, string_agg(distinct lower(privilege_type), ',' order by lower(privilege_type))"
        " as may from (select grantee, table_name, privilege_type from information_schema.column_privileges"
        " union select grantee, table_name, privilege_type from information_schema.table_privileges) p"
        " where grantee like 'workroom\\_%' and grantee not in ('workroom_owner', 'workroom_app', 'workroom_migrate')"
        " group by 1, 2"
    )
    found = {(row["grantee"].removeprefix("workroom_"), row["table_name"]): row["may"] for row in rows}
    assert found == {
        ("login", "mandates"): "select",
        ("login", "roles"): "select",
        ("login", "users"): "select,update",
        ("login", "memberships"): "select",
        ("login", "inspections"): "select",
        ("login", "instances"): "select",
        ("login", "sessions"): "insert,select,update",
        ("login", "api_tokens"): "select,update",
        ("login", "login_links"): "delete,select",
        ("login", "login_attempts"): "delete,insert,select",
        ("login", "audit"): "insert",
        ("sweep", "sessions"): "delete,select",
        ("sweep", "login_links"): "delete,select",
        ("sweep", "login_attempts"): "delete,select",
        ("sweep", "conversations"): "delete,select",
        ("sweep", "conversation_grants"): "select",
        ("sweep", "runs"): "select,update",
        ("sweep", "notes"): "delete,select",
        ("sweep", "todos"): "delete,select",
        ("sweep", "companies"): "delete,select",
        ("sweep", "agents"): "delete,select",
        ("sweep", "skills"): "delete,select",
        ("sweep", "studio_projects"): "delete,select",
        ("sweep", "creator_profiles"): "delete,select",
        ("sweep", "content_blocks"): "delete,select,update",
        ("sweep", "personas"): "delete,select",
        ("sweep", "reservations"): "select",
        ("sweep", "blobs"): "select,update",
        ("sweep", "files"): "delete,select,update",
        ("sweep", "contents"): "delete,select",
        ("sweep", "content_members"): "select",
        ("sweep", "knowledge_files"): "insert,select,update",
        ("sweep", "mails"): "delete,select,update",
        ("sweep", "web_searches"): "delete,select",
        ("sweep", "queue_lanes"): "insert,select,update",
        ("sweep", "workers"): "delete,insert,select,update",
        ("sweep", "file_versions"): "select",
        ("sweep", "folders"): "delete,select",
        ("sweep", "uploads"): "delete,select",
        ("sweep", "switch_evaluations"): "select,update",
        ("stream", "runs"): "select,update",
        ("stream", "run_events"): "insert,select",
        ("metrics", "mandates"): "select",
        ("metrics", "users"): "select",
        ("metrics", "instances"): "select",
        ("metrics", "sessions"): "select",
    }


async def test_login_may_touch_only_two_columns_of_a_user(catalogue: asyncpg.Connection[Any]) -> None:
    rows = await catalogue.fetch(
        "select column_name::text from information_schema.column_privileges"
        " where grantee = 'workroom_login' and table_name = 'users' and privilege_type = 'UPDATE'"
    )
    assert {row["column_name"] for row in rows} == {"last_seen_at", "password_hash"}


async def test_history_cannot_be_rewritten_by_the_application(address: DatabaseAddress) -> None:
    connection = await connect(address.application)
    try:
        for statement in ("update workroom.audit set action = 'x'", "delete from workroom.audit"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
    finally:
        await connection.close()


def importers_of(module: str, source: Path) -> set[str]:
    """Files below `source` that import `module`, lazily or not."""
    return {path for path, modules in imports_below(source).items() if module in modules}


@cache
def imports_below(source: Path) -> dict[str, set[str]]:
    """Of each file, the top modules it imports. Read once for all questions."""
    found: dict[str, set[str]] = {}
    for path in source.rglob("*.py"):
        modules = found.setdefault(str(path.relative_to(source)), set())
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules |= {name.split(".")[0] for name in names}
    return found


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("driver", ["asyncpg", "psycopg", "psycopg2"])
def test_no_module_outside_db_opens_a_connection(driver: str) -> None:
    source = Path(workroom.__file__).parent
    assert {path for path in importers_of(driver, source) if not path.startswith("db/")} == set()


def test_the_check_itself_finds_a_planted_violation(tmp_path: Path) -> None:
    (tmp_path / "sneaky.py").write_text("def later():\n    from asyncpg.pool import Pool\n")
    assert importers_of("asyncpg", tmp_path) == {"sneaky.py"}
