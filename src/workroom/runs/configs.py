"""The configuration of agents in a workspace: read by its members, changed by those who may change the workspace."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.config import AgentConfig, AgentWishes, wished
from workroom.agents.service import chosen
from workroom.core.changes import ChangeKind
from workroom.core.errors import Conflict, InvalidInput
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Instance, InstanceStatus, Principal
from workroom.runs import config_store


class AgentConfigs:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def get(self, principal: Principal, instance_id: UUID) -> AgentConfig:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await of_instance(uow, principal, await require_instance(uow, principal, instance_id))

    async def put(self, principal: Principal, instance_id: UUID, config: AgentConfig) -> AgentConfig:
        """Replace all of it but the tool set, which is a property of the workspace itself."""
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, instance_id, Action.UPDATE)
            if config.tool_set != instance.tool_set:
                raise InvalidInput("The tool set is changed with the workspace itself.", field="toolSet")
            if config.default_agent_id is not None:
                agent = await chosen(uow, principal, instance_id, config.default_agent_id)
                if agent.visibility is Visibility.MY:
                    raise InvalidInput("Share this agent with the workspace first.", field="defaultAgentId")
            await config_store.put(uow, principal.mandate_id, instance_id, config)
            details = config.model_dump(mode="json", by_alias=True)
            await audit.record(
                uow, principal, "updated", ChangeKind.INSTANCE, instance_id, name=instance.name, details=details
            )
        return config


async def of_instance(uow: UnitOfWork, principal: Principal, instance: Instance) -> AgentConfig:
    stored = await config_store.get(uow, principal.mandate_id, instance.id) or AgentConfig()
    return stored.model_copy(update={"tool_set": instance.tool_set})


async def for_request(uow: UnitOfWork, principal: Principal, instance_id: UUID, wishes: AgentWishes) -> AgentConfig:
    instance = await require_instance(uow, principal, instance_id)
    if instance.status is InstanceStatus.ARCHIVED:
        raise Conflict("This workspace is archived. Restore it before you go on here.")
    target = Target("data.instance", instance.created_by, frozenset({instance_id}))
    return wished(
        await of_instance(uow, principal, instance), wishes, may_exceed=decide(principal, Action.UPDATE, target)
    )
