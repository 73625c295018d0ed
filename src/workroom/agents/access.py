"""Who may do what with agents: things people share (`identity.sharing`). Shipped ones are everybody's to use, whatever their
role says."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from workroom.agents.types import AgentDefinition
from workroom.core.errors import Forbidden, NotFound
from workroom.identity.access import Target, decide
from workroom.identity.sharing import NOT_ALLOWED, ReadableScope, Visibility, may_with, reach_of
from workroom.identity.types import Action, Audience, Principal

AGENT = "data.agent"
NO_AGENT = "There is no such agent here, or it is not yours to use."


def reach(principal: Principal, action: Action, instance_id: UUID) -> ReadableScope:
    return reach_of(principal, action, AGENT, instance_id)


def may(principal: Principal, action: Action, agent: AgentDefinition) -> bool:
    if agent.builtin:
        return action is Action.READ
    # Readers of a conversation hear what an agent says, not what it was told: that may be private to who asks it.
    alone = replace(principal, audience=Audience())
    return may_with(alone, action, AGENT, agent.owner_id, agent.instance_id, agent.visibility)


def require_agent(
    principal: Principal, action: Action, instance_id: UUID, agent: AgentDefinition | None
) -> AgentDefinition:
    """What a principal may not read does not exist for them, nor does what belongs to another workspace alone."""
    if agent is None or not may(principal, Action.READ, agent):
        raise NotFound(NO_AGENT)
    if agent.instance_id not in (None, instance_id) and agent.visibility is not Visibility.ALL:
        raise NotFound(NO_AGENT)
    if not may(principal, action, agent):
        raise Forbidden(NOT_ALLOWED)
    return agent


def require_sharing(principal: Principal, agent: AgentDefinition, wanted: Visibility) -> None:
    """Only the owner says who sees an agent, and only those who may change all share with everybody."""
    if decide(principal, Action.UPDATE, Target(AGENT)):
        return
    if Visibility.ALL in (wanted, agent.visibility):
        raise Forbidden(
            "Only somebody with access level ALL to agents shares one with everybody, or takes that back. Ask an"
            " administrator.",
            code="promotionRefused",
        )
    if agent.owner_id != principal.user_id:
        raise Forbidden("Only the owner of an agent says who sees it. Ask them to share it.", code="sharingRefused")
