"""All SQL of agents people made. Shipped ones have no rows; lists get them from their caller."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.agents.types import AgentContent, AgentDefinition, AgentVersion, read, stored
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.names import slug_of
from workroom.identity.sharing import ReadableScope, Visibility
from workroom.identity.store.sharing import reached

SELECT = """
select agent_id as id, instance_id, owner_id, visibility, version, name, description, content, created_at, updated_at,
    deleted_at, null::text as team
from agents where mandate_id = $1"""
SHIPPED = """
select (b->>'id')::uuid, null, null, 'ALL', 1, b->>'name', b->>'description', null, null, null, null, b->>'team'
from jsonb_array_elements($9::jsonb) b"""


async def insert(uow: UnitOfWork, mandate_id: UUID, agent: AgentDefinition) -> None:
    await uow.execute(
        "insert into agents (mandate_id, agent_id, instance_id, owner_id, visibility, version, name, description, content,"
        " created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        mandate_id,
        agent.id,
        agent.instance_id,
        agent.owner_id,
        agent.visibility,
        agent.version,
        agent.name,
        agent.description,
        stored(agent.content),
        agent.created_at,
        agent.updated_at,
    )


async def update(uow: UnitOfWork, mandate_id: UUID, agent: AgentDefinition) -> None:
    await uow.execute(
        "update agents set visibility = $3, version = $4, name = $5, description = $6, content = $7, updated_at = $8,"
        " deleted_at = $9 where mandate_id = $1 and agent_id = $2",
        mandate_id,
        agent.id,
        agent.visibility,
        agent.version,
        agent.name,
        agent.description,
        stored(agent.content),
        agent.updated_at,
        agent.deleted_at,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, agent_id: UUID, *, lock: bool = False) -> AgentDefinition | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and agent_id = $2" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, agent_id, writes=lock)
    return _agent(row) if row else None


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    reach: ReadableScope,
    request: PageRequest,
    shipped: Mapping[UUID, AgentDefinition],
    *,
    deleted: bool,
) -> Page[AgentDefinition]:
    """Those of the workspace, those shared with everybody, and the shipped ones; by name, those that work together come last."""
    members = Counter(one.team for one in shipped.values())
    told = [
        {
            "id": str(one.id),
            "name": one.name,
            "description": one.description,
            "team": one.team if members[one.team] > 1 else None,
        }
        for one in shipped.values()
    ]
    listing = Listing(
        SELECT
        + f" and {reached('agents', 3)} and deleted_at is {'not null' if deleted else 'null'}"
        + " union all"
        + SHIPPED,
        [mandate_id, instance_id, *reach.args, json.dumps(told)],
        sorts={
            "name": "case when team is null then '0' else '1' end || lower(name)",
            "createdAt": moment("created_at"),
            "updatedAt": moment("updated_at"),
        },
        default_sort="name",
        search=["name", "description"],
    )
    return (await page(uow, listing, request)).map(lambda row: shipped.get(row["id"]) or _agent(row))


async def add_version(
    uow: UnitOfWork, mandate_id: UUID, agent: AgentDefinition, made_by: UUID | None, restored_from: int | None = None
) -> None:
    await uow.execute(
        "insert into agent_versions (mandate_id, agent_id, version, name, content, made_by, made_at, restored_from)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8)",
        mandate_id,
        agent.id,
        agent.version,
        agent.name,
        stored(agent.content),
        made_by,
        agent.updated_at,
        restored_from,
    )


async def version(uow: UnitOfWork, mandate_id: UUID, agent_id: UUID, number: int) -> AgentContent | None:
    content = await uow.fetchval(
        "select content from agent_versions where mandate_id = $1 and agent_id = $2 and version = $3",
        mandate_id,
        agent_id,
        number,
    )
    return read(content) if content else None


async def versions(uow: UnitOfWork, mandate_id: UUID, agent_id: UUID, request: PageRequest) -> Page[AgentVersion]:
    listing = Listing(
        "select v.version as id, v.version, v.name, v.content, v.made_by, u.display_name as made_by_name, v.made_at,"
        " v.restored_from from agent_versions v"
        " left join users u on u.mandate_id = v.mandate_id and u.user_id = v.made_by"
        " where v.mandate_id = $1 and v.agent_id = $2",
        [mandate_id, agent_id],
        sorts={"version": "lpad(version::text, 10, '0')"},
        default_sort="version",
        search=["name"],
    )
    return (await page(uow, listing, request)).map(_version)


async def here(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID) -> Sequence[AgentDefinition]:
    """Everything that could be meant by a name in this workspace; whether a principal may use it is asked of each."""
    rows = await uow.fetch(
        SELECT + " and (instance_id = $2 or visibility = 'ALL') and deleted_at is null order by created_at, agent_id",
        mandate_id,
        instance_id,
    )
    return [_agent(row) for row in rows]


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from agents where deleted_at <= $1", before)


def slug(name: str) -> str:
    found = slug_of(name)
    return "agent" if found == "workspace" else found


def _agent(row: Any) -> AgentDefinition:
    return AgentDefinition(
        **dict(read(row["content"])),
        id=row["id"],
        slug=slug(row["name"]),
        version=row["version"],
        visibility=Visibility(row["visibility"]),
        owner_id=row["owner_id"],
        instance_id=row["instance_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
    )


def _version(row: Any) -> AgentVersion:
    told = {name: row[name] for name in AgentVersion.model_fields if name != "content"}
    return AgentVersion(**told, content=read(row["content"]))
