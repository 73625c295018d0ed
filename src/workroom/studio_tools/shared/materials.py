"""What a model is shown of a project when it writes or judges for it."""

from __future__ import annotations

from collections.abc import Iterable

from workroom.core.errors import NotFound
from workroom.studio.services import Studio
from workroom.studio.types import AudiencePersona, BlockText
from workroom.studio_tools.shared.model_answers import Material
from workroom.studio_tools.shared.project import OpenProject


async def surroundings(opened: OpenProject, besides: Iterable[BlockText] = ()) -> list[Material]:
    """The project, who speaks in it, its intent and its personas; without what the model is shown `besides`."""
    shown = {block.id for block in besides}
    intent = await opened.intent()
    project = opened.project
    return [
        Material("project", project.description, project.name),
        *await _profile(opened),
        *([material_of(intent, "intent")] if intent is not None and intent.id not in shown else []),
        *[_persona(persona) for persona in await personas_of(opened)],
    ]


def material_of(block: BlockText, tag: str = "block") -> Material:
    return Material(tag, block.text, block.name)


async def personas_of(opened: OpenProject) -> list[AudiencePersona]:
    ctx = opened.ctx
    return await ctx.use(Studio).personas.list(ctx.principal, ctx.instance_id, opened.project.id)


async def _profile(opened: OpenProject) -> list[Material]:
    ctx, profile_id = opened.ctx, opened.project.profile_id
    if profile_id is None:
        return []
    try:
        profile = await ctx.use(Studio).profiles.get(ctx.principal, ctx.instance_id, profile_id)
    except NotFound:  # in the trash
        return []
    return [Material("creator", profile.text, profile.name)]


def _persona(persona: AudiencePersona) -> Material:
    lists = {"Goals": persona.goals, "Pains": persona.pains, "Habits": persona.habits}
    lines = [
        persona.summary,
        persona.situation,
        *(f"{name}: {'; '.join(each)}" for name, each in lists.items() if each),
    ]
    return Material("persona", "\n".join(filter(None, lines)), persona.name)
