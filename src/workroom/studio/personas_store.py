"""All SQL of personas."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.studio.types import AudiencePersona

SELECT = """
select persona_id as id, project_id, name, content, version, changed_by, agent_name, from_outside, created_at, updated_at,
    deleted_at
from personas where mandate_id = $1 and project_id = $2"""


async def of_project(uow: UnitOfWork, mandate_id: UUID, project_id: UUID) -> list[AudiencePersona]:
    """Oldest first; also those in the trash."""
    rows = await uow.fetch(SELECT + " order by created_at, persona_id", mandate_id, project_id)
    return [_persona(row) for row in rows]


async def insert(uow: UnitOfWork, mandate_id: UUID, persona: AudiencePersona) -> None:
    await uow.execute(
        "insert into personas (mandate_id, persona_id, project_id, name, content, version, changed_by, agent_name, created_at,"
        " updated_at, from_outside) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        mandate_id,
        persona.id,
        persona.project_id,
        persona.name,
        persona.content.model_dump_json(),
        persona.version,
        persona.changed_by,
        persona.agent_name,
        persona.created_at,
        persona.updated_at,
        persona.from_outside,
    )


async def update(uow: UnitOfWork, mandate_id: UUID, persona: AudiencePersona) -> None:
    await uow.execute(
        "update personas set name = $3, content = $4, version = $5, changed_by = $6, agent_name = $7, updated_at = $8,"
        " deleted_at = $9, from_outside = $11 where mandate_id = $1 and persona_id = $2 and project_id = $10",
        mandate_id,
        persona.id,
        persona.name,
        persona.content.model_dump_json(),
        persona.version,
        persona.changed_by,
        persona.agent_name,
        persona.updated_at,
        persona.deleted_at,
        persona.project_id,
        persona.from_outside,
    )


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from personas where deleted_at <= $1", before)


def _persona(row: Any) -> AudiencePersona:
    columns = {name: row[name] for name in AudiencePersona.model_fields if name in row}
    return AudiencePersona(**{**json.loads(row["content"]), **columns})
