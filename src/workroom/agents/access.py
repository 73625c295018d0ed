"""Who may do what with agents, in the terms of `identity.access`, which decides. As with files: a private agent is its
owner's, one shared with the workspace counts as the workspace's, one shared with everybody is read by all who may read
agents at all and changed only with level ALL. Shipped agents are everybody's to use, whatever their role says."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.agents.types import AgentDefinition
from workroom.core.errors import Forbidden, NotFound
from workroom.files.types import Visibility
from workroom.identity.access import Target, decide
from workroom.identity.types import Action, Principal

AGENT = "data.agent"
NO_AGENT = "There is no such agent here, or it is not yours to use."
NOT_ALLOWED = "Your role does not allow this. Ask an administrator of your workspace."


@dataclass(frozen=True)
class Reach:
    """Which agents somebody may see in a workspace: the store turns it into a WHERE clause, the second wall."""

    user_id: UUID | None
    all: bool
    own: bool
    group: bool
    shared: bool


def reach(who: Principal, action: Action, instance_id: UUID) -> Reach:
    here = frozenset({instance_id})
    return Reach(
        who.user_id,
        all=decide(who, action, Target(AGENT)),
        own=decide(who, action, Target(AGENT, who.user_id, here)),
        group=decide(who, action, Target(AGENT, None, here)),
        shared=action is Action.READ and decide(who, action, Target(AGENT, who.user_id)),
    )


def may(who: Principal, action: Action, agent: AgentDefinition) -> bool:
    if agent.builtin:
        return action is Action.READ
    return decide(who, action, _target(who, action, agent))


def require_agent(who: Principal, action: Action, instance_id: UUID, agent: AgentDefinition | None) -> AgentDefinition:
    """What somebody may not read does not exist for them, nor does what belongs to another workspace alone."""
    if agent is None or not may(who, Action.READ, agent):
        raise NotFound(NO_AGENT)
    if agent.instance_id not in (None, instance_id) and agent.visibility is not Visibility.ALL:
        raise NotFound(NO_AGENT)
    if not may(who, action, agent):
        raise Forbidden(NOT_ALLOWED)
    return agent


def require_sharing(who: Principal, agent: AgentDefinition, wanted: Visibility) -> None:
    """Only the owner says who sees an agent, and only those who may change all share with everybody."""
    if decide(who, Action.UPDATE, Target(AGENT)):
        return
    if Visibility.ALL in (wanted, agent.visibility):
        raise Forbidden(
            "Only somebody with access level ALL to agents shares one with everybody, or takes that back. Ask an"
            " administrator.",
            code="promotionRefused",
        )
    if agent.owner_id != who.user_id:
        raise Forbidden("Only the owner of an agent says who sees it. Ask them to share it.", code="sharingRefused")


def _target(who: Principal, action: Action, agent: AgentDefinition) -> Target:
    here = frozenset({agent.instance_id} if agent.instance_id else ())
    if agent.visibility is Visibility.ALL:
        return Target(AGENT, who.user_id) if action is Action.READ else Target(AGENT)
    if agent.visibility is Visibility.GROUP or agent.owner_id == who.user_id:
        return Target(AGENT, agent.owner_id, here)
    return Target(AGENT, agent.owner_id)
