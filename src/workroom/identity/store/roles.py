"""Roles and their rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page
from workroom.identity.types import Action, Level, Role, Rule

SELECT = """
select r.role_id as id, r.key, r.name, r.description, r.builtin, r.rules,
    (select count(*) from users u where u.mandate_id = r.mandate_id and u.role_id = r.role_id)
    + (select count(*) from memberships m where m.mandate_id = r.mandate_id and m.role_id = r.role_id) as user_count
from roles r where r.mandate_id = $1"""


async def insert(uow: UnitOfWork, mandate_id: UUID, role: Role, created_at: datetime) -> bool:
    """False when the key is taken."""
    return (
        await uow.execute(
            "insert into roles (mandate_id, role_id, key, name, description, builtin, rules, created_at)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (mandate_id, key) do nothing",
            mandate_id,
            role.id,
            role.key,
            role.name,
            role.description,
            role.builtin,
            rules_to_json(role.rules),
            created_at,
        )
        == 1
    )


async def get(uow: UnitOfWork, mandate_id: UUID, role_id: UUID, *, lock: bool = False) -> Role | None:
    sql = SELECT + " and r.role_id = $2" + (" for no key update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, role_id, writes=lock)
    return _role(row) if row else None


async def by_key(uow: UnitOfWork, mandate_id: UUID, key: str, *, lock: bool = False) -> Role | None:
    sql = SELECT + " and r.key = $2" + (" for no key update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, key, writes=lock)
    return _role(row) if row else None


async def name_owner(uow: UnitOfWork, mandate_id: UUID, name: str) -> UUID | None:
    value: UUID | None = await uow.fetchval(
        "select role_id from roles where mandate_id = $1 and lower(name) = lower($2) limit 1", mandate_id, name
    )
    return value


async def listed(uow: UnitOfWork, mandate_id: UUID, request: PageRequest) -> Page[Role]:
    listing = Listing(
        SELECT,
        [mandate_id],
        sorts={"name": "lower(name)", "key": "key"},
        default_sort="name",
        search=["name", "description"],
    )
    return (await page(uow, listing, request)).map(_role)


async def update(uow: UnitOfWork, mandate_id: UUID, role: Role) -> None:
    await uow.execute(
        "update roles set name = $3, description = $4, rules = $5 where mandate_id = $1 and role_id = $2",
        mandate_id,
        role.id,
        role.name,
        role.description,
        rules_to_json(role.rules),
    )


async def delete(uow: UnitOfWork, mandate_id: UUID, role_id: UUID) -> None:
    await uow.execute("delete from roles where mandate_id = $1 and role_id = $2", mandate_id, role_id)


async def held_in(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_ids: Sequence[UUID], *, everybody: bool
) -> list[tuple[tuple[Rule, ...], tuple[Rule, ...]]]:
    """The different rights that these members of a workspace have, or all of its members: in the mandate, and inside it."""
    rows = await uow.fetch(
        "select distinct r.rules, coalesce(inside.rules, '[]'::jsonb) as inside from memberships m"
        " join users u on u.mandate_id = m.mandate_id and u.user_id = m.user_id and u.status = 'active'"
        " join roles r on r.mandate_id = u.mandate_id and r.role_id = u.role_id"
        " left join roles inside on inside.mandate_id = m.mandate_id and inside.role_id = m.role_id"
        " where m.mandate_id = $1 and m.instance_id = $2 and ($4 or m.user_id = any($3))",
        mandate_id,
        instance_id,
        user_ids,
        everybody,
    )
    return [(rules_from_json(json.loads(row["rules"])), rules_from_json(json.loads(row["inside"]))) for row in rows]


def rules_to_json(rules: Iterable[Rule]) -> str:
    return json.dumps([{"objectKey": r.object_key, "action": r.action, "level": r.level.name} for r in rules])


def rules_from_json(stored: Iterable[dict[str, str]]) -> tuple[Rule, ...]:
    return tuple(Rule(item["objectKey"], Action(item["action"]), Level[item["level"]]) for item in stored)


def _role(row: Any) -> Role:
    return Role(
        row["id"],
        row["key"],
        row["name"],
        row["description"],
        row["builtin"],
        rules_from_json(json.loads(row["rules"])),
        row["user_count"],
    )
