"""All SQL of projects."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level
from workroom.studio.types import BlockStatus, Project

SELECT = """
select project_id as id, name, description, described_by, language, profile_id, phases, current_phase, phase_status, version,
    owner_id, changed_by, created_at, updated_at, deleted_at
from studio_projects where mandate_id = $1 and instance_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, project: Project) -> None:
    await uow.execute(
        "insert into studio_projects (mandate_id, project_id, instance_id, owner_id, changed_by, name, description, language,"
        " profile_id, phases, current_phase, phase_status, version, created_at, updated_at, described_by)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        mandate_id,
        project.id,
        instance_id,
        project.owner_id,
        project.changed_by,
        project.name,
        project.description,
        project.language,
        project.profile_id,
        _phases(project),
        project.current_phase,
        json.dumps(project.phase_status),
        project.version,
        project.created_at,
        project.updated_at,
        project.described_by,
    )


async def get(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, project_id: UUID, *, lock: bool = False
) -> Project | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and project_id = $3" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, project_id, writes=lock)
    return _project(row) if row else None


async def update(uow: UnitOfWork, mandate_id: UUID, project: Project) -> None:
    await uow.execute(
        "update studio_projects set name = $3, description = $4, language = $5, profile_id = $6, phases = $7, current_phase = $8,"
        " phase_status = $9, version = $10, changed_by = $11, updated_at = $12, deleted_at = $13,"
        " described_by = $14"
        " where mandate_id = $1 and project_id = $2",
        mandate_id,
        project.id,
        project.name,
        project.description,
        project.language,
        project.profile_id,
        _phases(project),
        project.current_phase,
        json.dumps(project.phase_status),
        project.version,
        project.changed_by,
        project.updated_at,
        project.deleted_at,
        project.described_by,
    )


async def listed(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, scope: ListScope, request: PageRequest, *, deleted: bool
) -> Page[Project]:
    listing = Listing(
        SELECT
        + " and ($3 or owner_id = $4 or instance_id = any($5)) and deleted_at is "
        + ("not null" if deleted else "null"),
        [mandate_id, instance_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)],
        sorts={"name": "lower(name)", "createdAt": moment("created_at"), "updatedAt": moment("updated_at")},
        default_sort="name",
        search=["name", "description"],
    )
    return (await page(uow, listing, request)).map(_project)


async def progress(
    uow: UnitOfWork, mandate_id: UUID, project_ids: Collection[UUID]
) -> Mapping[UUID, Mapping[BlockStatus, int]]:
    """How many blocks have which status, by project."""
    rows = await uow.fetch(
        "select b.project_id, coalesce(v.status, 'empty') as status, count(*) as blocks from content_blocks b"
        " left join content_block_versions v on v.mandate_id = b.mandate_id and v.block_id = b.block_id and v.version = b.version"
        " where b.mandate_id = $1 and b.project_id = any($2) and b.kind = 'block' and b.deleted_at is null group by 1, 2",
        mandate_id,
        list(project_ids),
    )
    found: dict[UUID, dict[BlockStatus, int]] = {project_id: {} for project_id in project_ids}
    for row in rows:
        found[row["project_id"]][BlockStatus(row["status"])] = row["blocks"]
    return found


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from studio_projects where deleted_at <= $1", before)


def _phases(project: Project) -> str:
    return json.dumps([phase.model_dump(mode="json") for phase in project.phases], ensure_ascii=False)


def _project(row: Any) -> Project:
    columns = {name: row[name] for name in Project.model_fields}
    return Project(**{**columns, "phases": json.loads(row["phases"]), "phase_status": json.loads(row["phase_status"])})
