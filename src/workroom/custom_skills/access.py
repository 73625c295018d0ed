"""Who may do what with skills: things people share (`identity.sharing`), with the members of their workspace."""

from __future__ import annotations

from uuid import UUID

from workroom.core.errors import Forbidden, NotFound
from workroom.custom_skills.types import Skill
from workroom.identity.sharing import NOT_ALLOWED, ReadableScope, may_with, reach_of
from workroom.identity.types import Action, Principal

SKILL = "data.skill"


def reach(principal: Principal, action: Action, instance_id: UUID) -> ReadableScope:
    return reach_of(principal, action, SKILL, instance_id)


def require_skill(principal: Principal, action: Action, instance_id: UUID, skill: Skill | None) -> Skill:
    """What a principal may not read does not exist for them, nor does what belongs to another workspace."""
    if skill is None or skill.instance_id != instance_id or not may(principal, Action.READ, skill):
        raise NotFound("There is no such skill here, or it is not yours to see.")
    if not may(principal, action, skill):
        raise Forbidden(NOT_ALLOWED)
    return skill


def may(principal: Principal, action: Action, skill: Skill) -> bool:
    return may_with(principal, action, SKILL, skill.owner_id, skill.instance_id, skill.visibility)
