"""What a model is shown of a project when it writes or judges for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workroom.agent.tool import ToolContext
from workroom.core.errors import NotFound
from workroom.studio.services import Studio
from workroom.studio.types import AudiencePersona, BlockText, CreatorProfile
from workroom.studio_tools.shared.model_answers import Material
from workroom.studio_tools.shared.project import OpenProject, by_others


@dataclass(frozen=True)
class Surroundings:
    """`by_others`: part of it, or of what the model is shown besides, was written by others, or read elsewhere. What a model
    makes of it inherits that."""

    materials: Sequence[Material]
    by_others: bool


async def surroundings(opened: OpenProject, besides: Sequence[BlockText] = ()) -> Surroundings:
    """The project, who speaks in it, its intent and its personas; without what the model is shown `besides`."""
    intent, profile, personas = await opened.intent(), await _profile(opened), await personas_of(opened)
    texts = [*besides, *([intent] if intent is not None and intent.id not in {block.id for block in besides} else [])]
    project, person_id = opened.project, opened.ctx.principal.user_id
    materials = [
        Material("project", project.description, project.name),
        *([Material("creator", profile.text, profile.name)] if profile else []),
        *[material_of(text, "intent") for text in texts[len(besides) :]],
        *[_persona(persona) for persona in personas],
    ]
    others = (
        bool(project.description) and project.described_by != person_id,
        profile is not None and bool(profile.text) and profile.changed_by != person_id,
        any(by_others(opened.ctx, text) for text in texts),
        any(is_others_persona(opened.ctx, persona) for persona in personas),
    )
    return Surroundings(materials, any(others))


def material_of(block: BlockText, tag: str = "block") -> Material:
    return Material(tag, block.text, block.name)


async def personas_of(opened: OpenProject) -> list[AudiencePersona]:
    ctx = opened.ctx
    return await ctx.use(Studio).personas.list(ctx.principal, ctx.instance_id, opened.project.id)


def is_others_persona(ctx: ToolContext, persona: AudiencePersona) -> bool:
    """As `by_others`, of a persona."""
    return persona.from_outside or persona.changed_by != ctx.principal.user_id


async def _profile(opened: OpenProject) -> CreatorProfile | None:
    ctx, profile_id = opened.ctx, opened.project.profile_id
    if profile_id is None:
        return None
    try:
        return await ctx.use(Studio).profiles.get(ctx.principal, ctx.instance_id, profile_id)
    except NotFound:  # in the trash
        return None


def _persona(persona: AudiencePersona) -> Material:
    lists = {"Goals": persona.goals, "Pains": persona.pains, "Habits": persona.habits}
    lines = [
        persona.summary,
        persona.situation,
        *(f"{name}: {'; '.join(each)}" for name, each in lists.items() if each),
    ]
    return Material("persona", "\n".join(filter(None, lines)), persona.name)
