"""All SQL of agents' configuration."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.config import AgentConfig
from workroom.db import UnitOfWork


async def get(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID) -> AgentConfig | None:
    stored = await uow.fetchval(
        "select config from agent_configs where mandate_id = $1 and instance_id = $2", mandate_id, instance_id
    )
    return AgentConfig.model_validate_json(stored) if stored else None


async def put(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, config: AgentConfig) -> None:
    await uow.execute(
        "insert into agent_configs (mandate_id, instance_id, config) values ($1, $2, $3)"
        " on conflict (mandate_id, instance_id) do update set config = excluded.config",
        mandate_id,
        instance_id,
        config.model_dump_json(exclude={"tool_set"}),
    )
