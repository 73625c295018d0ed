"""All SQL of skills that people make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.custom_skills.types import Skill, SkillContent, SkillEntry, SkillVersion, SkillVersionContent
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.sharing import ReadableScope
from workroom.identity.store.sharing import reached

BY_OWNER_ALONE = """not exists (select from skill_versions v where v.mandate_id = skills.mandate_id
    and v.skill_id = skills.skill_id and v.made_by is distinct from skills.owner_id) as by_owner_alone"""
SELECT = f"""
select skill_id as id, instance_id, owner_id, {BY_OWNER_ALONE}, visibility, version, shared_from, content, created_at, updated_at,
    deleted_at
from skills where mandate_id = $1"""
ENTRIES = f"""
select skill_id as id, {BY_OWNER_ALONE}, skills.name, description, content->'parameters' as parameters, content->'tools' as tools,
    (content->>'automatic')::bool as automatic, version, visibility, owner_id, u.display_name as owner_name,
    skills.created_at, skills.updated_at, skills.deleted_at
from skills left join users u on u.mandate_id = skills.mandate_id and u.user_id = skills.owner_id
where skills.mandate_id = $1"""
VERSION_COLUMNS = "v.version, v.made_by, u.display_name as made_by_name, v.made_at, v.restored_from"
VERSIONS = """
from skill_versions v left join users u on u.mandate_id = v.mandate_id and u.user_id = v.made_by
where v.mandate_id = $1 and v.skill_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, skill: Skill) -> None:
    await uow.execute(
        "insert into skills (mandate_id, skill_id, instance_id, owner_id, visibility, version, name, description, content,"
        " created_at, updated_at, shared_from) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        mandate_id,
        skill.id,
        skill.instance_id,
        skill.owner_id,
        skill.visibility,
        skill.version,
        skill.name,
        skill.description,
        skill.content.model_dump_json(),
        skill.created_at,
        skill.updated_at,
        skill.shared_from,
    )


async def update(uow: UnitOfWork, mandate_id: UUID, skill: Skill) -> None:
    await uow.execute(
        "update skills set visibility = $3, version = $4, name = $5, description = $6, content = $7, updated_at = $8,"
        " deleted_at = $9, shared_from = $10 where mandate_id = $1 and skill_id = $2",
        mandate_id,
        skill.id,
        skill.visibility,
        skill.version,
        skill.name,
        skill.description,
        skill.content.model_dump_json(),
        skill.updated_at,
        skill.deleted_at,
        skill.shared_from,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, skill_id: UUID, *, lock: bool = False) -> Skill | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and skill_id = $2" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, skill_id, writes=lock)
    return _skill(row) if row else None


async def listed(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, request: PageRequest, *, deleted: bool
) -> Page[SkillEntry]:
    listing = Listing(
        ENTRIES + f" and {reached('skills', 3)} and skills.deleted_at is {'not null' if deleted else 'null'}",
        [mandate_id, instance_id, *reach.args],
        sorts={"name": "name", "createdAt": moment("created_at"), "updatedAt": moment("updated_at")},
        default_sort="name",
        search=["name", "description"],
    )
    return (await page(uow, listing, request)).map(_entry)


async def automatic(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, most: int
) -> Sequence[SkillEntry]:
    """Those that agents may read by themselves, the person's own first, one more than `most` if there are more; of two with a
    name the person's own."""
    rows = await uow.fetch(
        f"select * from (select distinct on (name) * from ({ENTRIES} and {reached('skills', 3)} and skills.deleted_at is null"
        " and (content->>'automatic')::bool) as found order by name, owner_id is distinct from $3) as named"
        f" order by owner_id is distinct from $3, name limit {most + 1}",
        mandate_id,
        instance_id,
        *reach.args,
    )
    return [_entry(row) for row in rows]


async def named(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, name: str) -> Skill | None:
    """What `/name` means for the person: a skill of their own, else the one that is shared."""
    row = await uow.fetchrow(
        f"{SELECT} and {reached('skills', 3)} and deleted_at is null and name = $9"
        " order by owner_id is distinct from $3 limit 1",
        mandate_id,
        instance_id,
        *reach.args,
        name,
    )
    return _skill(row) if row else None


async def is_taken(uow: UnitOfWork, mandate_id: UUID, skill: Skill) -> bool:
    """Whether another of the owner's skills has its name or, if it is shared, another one that is."""
    return bool(
        await uow.fetchval(
            "select exists (select from skills where mandate_id = $1 and instance_id = $2 and name = $3 and skill_id <> $4"
            " and deleted_at is null and (owner_id = $5 or $6 and visibility = 'GROUP'))",
            mandate_id,
            skill.instance_id,
            skill.name,
            skill.id,
            skill.owner_id,
            skill.visibility == "GROUP",
        )
    )


async def add_version(
    uow: UnitOfWork, mandate_id: UUID, skill: Skill, made_by: UUID | None, restored_from: int | None = None
) -> None:
    await uow.execute(
        "insert into skill_versions (mandate_id, skill_id, version, content, made_by, made_at, restored_from)"
        " values ($1, $2, $3, $4, $5, $6, $7)",
        mandate_id,
        skill.id,
        skill.version,
        skill.content.model_dump_json(),
        made_by,
        skill.updated_at,
        restored_from,
    )


async def version(uow: UnitOfWork, mandate_id: UUID, skill_id: UUID, number: int) -> SkillVersionContent | None:
    row = await uow.fetchrow(
        f"select {VERSION_COLUMNS}, v.content {VERSIONS} and v.version = $3", mandate_id, skill_id, number
    )
    if row is None:
        return None
    return SkillVersionContent(**dict(_version(row)), content=SkillContent.model_validate_json(row["content"]))


async def versions(
    uow: UnitOfWork, mandate_id: UUID, skill_id: UUID, first: int, request: PageRequest
) -> Page[SkillVersion]:
    listing = Listing(
        f"select v.version as id, {VERSION_COLUMNS} {VERSIONS} and v.version >= $3",
        [mandate_id, skill_id, first],
        sorts={"version": "lpad(version::text, 10, '0')"},
        default_sort="version",
        search=["made_by_name"],
    )
    return (await page(uow, listing, request)).map(_version)


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from skills where deleted_at <= $1", before)


def _skill(row: Any) -> Skill:
    kept = {name: row[name] for name in Skill.model_fields if name not in SkillContent.model_fields}
    return Skill(**dict(SkillContent.model_validate_json(row["content"])), **kept)


def _entry(row: Any) -> SkillEntry:
    kept = {name: row[name] for name in SkillEntry.model_fields}
    return SkillEntry.model_validate(
        {**kept, "parameters": json.loads(row["parameters"]), "tools": json.loads(row["tools"])}
    )


def _version(row: Any) -> SkillVersion:
    return SkillVersion(**{name: row[name] for name in SkillVersion.model_fields})
