"""Users of a mandate."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.store.roles import rules_from_json
from workroom.identity.types import Level, Rule, Status, User

COLUMNS = """
u.user_id as id, u.login, u.display_name, u.role_id, u.status, u.language, u.theme,
u.password_hash is not null as has_password, u.created_at, u.last_seen_at"""


async def insert(uow: UnitOfWork, mandate_id: UUID, user: User) -> bool:
    """False when the login is taken in this mandate."""
    return (
        await uow.execute(
            "insert into users (mandate_id, user_id, login, display_name, role_id, status, language, theme, created_at)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (mandate_id, login) do nothing",
            mandate_id,
            user.id,
            user.login,
            user.display_name,
            user.role_id,
            user.status,
            user.language,
            user.theme,
            user.created_at,
        )
        == 1
    )


async def get(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, *, lock: bool = False) -> User | None:
    """`lock`: no other transaction changes the account or its memberships until this one ends."""
    sql = f"select {COLUMNS} from users u where mandate_id = $1 and user_id = $2"
    row = await uow.fetchrow(sql + (" for no key update" if lock else ""), mandate_id, user_id, writes=lock)
    return user_of(row) if row else None


async def lock_rights(uow: UnitOfWork, mandate_id: UUID) -> None:
    """The first thing in a transaction that may take rights away: it waits for all transactions that write with them.
    Not said to write: that would hold the rights of the person first, and two who do so would wait for each other."""
    await uow.fetchval("select lock_rights($1)", mandate_id)


async def by_login(uow: UnitOfWork, mandate_id: UUID, login: str) -> User | None:
    row = await uow.fetchrow(f"select {COLUMNS} from users u where mandate_id = $1 and login = $2", mandate_id, login)
    return user_of(row) if row else None


async def instances_of(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> frozenset[UUID]:
    rows = await uow.fetch(
        "select instance_id from memberships where mandate_id = $1 and user_id = $2", mandate_id, user_id
    )
    return frozenset(row["instance_id"] for row in rows)


async def membership_rules(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> dict[UUID, tuple[Rule, ...]]:
    rows = await uow.fetch(
        "select m.instance_id, r.rules from memberships m join roles r using (mandate_id, role_id)"
        " where m.mandate_id = $1 and m.user_id = $2",
        mandate_id,
        user_id,
    )
    return {row["instance_id"]: rules_from_json(json.loads(row["rules"])) for row in rows}


async def listed(uow: UnitOfWork, mandate_id: UUID, scope: ListScope, request: PageRequest) -> Page[User]:
    source = f"select {COLUMNS} from users u where u.mandate_id = $1 and ($2 or u.user_id = $3 or exists ("
    source += (
        "select from memberships m where m.mandate_id = $1 and m.user_id = u.user_id and m.instance_id = any($4)))"
    )
    listing = Listing(
        source,
        [mandate_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)],
        sorts={
            "displayName": "lower(display_name)",
            "login": "login",
            "createdAt": moment("created_at"),
            "lastSeenAt": moment("last_seen_at"),
        },
        default_sort="displayName",
        search=["display_name", "login"],
    )
    return (await page(uow, listing, request)).map(user_of)


async def update(uow: UnitOfWork, mandate_id: UUID, user: User) -> None:
    await uow.execute(
        "update users set display_name = $3, role_id = $4, status = $5, language = $6, theme = $7"
        " where mandate_id = $1 and user_id = $2",
        mandate_id,
        user.id,
        user.display_name,
        user.role_id,
        user.status,
        user.language,
        user.theme,
    )


async def delete(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> None:
    await uow.execute("delete from users where mandate_id = $1 and user_id = $2", mandate_id, user_id)


async def password_hash(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> str | None:
    value: str | None = await uow.fetchval(
        "select password_hash from users where mandate_id = $1 and user_id = $2", mandate_id, user_id
    )
    return value


async def set_password_hash(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, hashed: str) -> None:
    await uow.execute(
        "update users set password_hash = $3 where mandate_id = $1 and user_id = $2", mandate_id, user_id, hashed
    )


async def has_others(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> bool:
    """Whether anyone else has an account in the mandate."""
    sql = "select exists (select from users where mandate_id = $1 and user_id <> $2)"
    there: bool = await uow.fetchval(sql, mandate_id, user_id)
    return there


async def count_active_with_role(uow: UnitOfWork, mandate_id: UUID, role_key: str) -> int:
    """Locks the role's row first, so that two people leaving at once cannot both see the other still there."""
    await uow.execute("select from roles where mandate_id = $1 and key = $2 for update", mandate_id, role_key)
    count: int = await uow.fetchval(
        "select count(*) from users u join roles r using (mandate_id, role_id)"
        " where u.mandate_id = $1 and r.key = $2 and u.status = 'active'",
        mandate_id,
        role_key,
    )
    return count


def user_of(row: Any) -> User:
    return User(
        row["id"],
        row["login"],
        row["display_name"],
        row["role_id"],
        Status(row["status"]),
        row["language"],
        row["theme"],
        row["has_password"],
        row["created_at"],
        row["last_seen_at"],
    )
