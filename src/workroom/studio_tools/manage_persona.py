"""Personas of a project: listing, adding, changing and deleting them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.quotation import quoted
from workroom.core.results import ToolResult, result_of
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.runs.call_agents import calling_agent
from workroom.studio import personas
from workroom.studio.types import LONGEST_NAME, AudiencePersona, Line, PersonaContent
from workroom.studio_tools.shared.materials import is_others_persona, personas_of
from workroom.studio_tools.shared.project import OpenProject, open_for_others, open_project

Lines = Annotated[list[Line] | None, Field(max_length=12)]


class PersonaAction(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    LIST = "list"


class PersonaData(Wire):
    """An update changes what is given; `newName` renames. `basis`: where it is from, such as a research block."""

    name: str = Field("", max_length=LONGEST_NAME)
    new_name: str = Field("", max_length=LONGEST_NAME)
    summary: str | None = Field(None, max_length=1_000)
    situation: str | None = Field(None, max_length=2_000)
    goals: Lines = None
    pains: Lines = None
    habits: Lines = None
    basis: str | None = Field(None, max_length=1_000)

    @property
    def changes(self) -> dict[str, Any]:
        names = ("summary", "situation", "goals", "pains", "habits", "basis")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {**given, "name": self.new_name} if self.new_name else given


async def _ask_to_delete(
    ctx: ToolContext, action: PersonaAction, persona_data: PersonaData | None = None
) -> ConfirmPrompt | None:
    if action is not PersonaAction.DELETE or persona_data is None:
        return None
    persona = await _named(await open_project(ctx, Action.UPDATE), persona_data.name)
    subject = f"{persona.id} {persona.version}"
    return ConfirmPrompt(
        f"Delete the persona “{persona.name}”? It can be restored for thirty days.", persona.name, "delete", subject
    )


async def _ask_to_write(
    ctx: ToolContext, action: PersonaAction, persona_data: PersonaData | None = None
) -> ConfirmPrompt | None:
    if action is PersonaAction.LIST or persona_data is None or await open_for_others(ctx) is None:
        return None
    name = persona_data.name or persona_data.new_name
    return ConfirmPrompt(f"Write the persona “{name}”? Everyone in this workspace can read it.", name)


@tool(
    "manage_persona",
    effect="ours",
    sets={"studio"},
    confirm=_ask_to_delete,
    confirm_untrusted=_ask_to_write,
    needs="project",
)
async def manage_persona(
    ctx: ToolContext, action: PersonaAction, persona_data: PersonaData | None = None
) -> ToolResult:
    """List, create, update or delete personas: the people the content is for, as research or the user describes them."""
    data = persona_data or PersonaData()
    if action is PersonaAction.LIST:
        opened = await open_project(ctx)
        known = await personas_of(opened)
        others = any(is_others_persona(ctx, persona) for persona in known)
        listed = [persona.content.model_dump(exclude_defaults=True) for persona in known]
        return await ctx.commit(lambda _: _at_once(result_of(listed).marked(untrusted=others)))
    opened = await open_project(ctx, Action.UPDATE)
    if action is not PersonaAction.CREATE:
        return await _change(opened, action, data)
    if not (name := data.new_name or data.name):
        raise InvalidInput("A persona needs a name.", field="persona_data")
    content = PersonaContent.model_validate({**data.changes, "name": name})
    if any(_same(persona, content.name) for persona in await personas_of(opened)):
        raise InvalidInput(f"There is a persona {quoted(content.name)} already. Update it.", field="persona_data")

    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        where = uow, ctx.principal, ctx.instance_id, opened.project.id
        made = await personas.add(*where, content, agent, from_outside=ctx.follows_untrusted)
        return _told(made, "is there")

    return await ctx.commit(effect)


async def _change(opened: OpenProject, action: PersonaAction, data: PersonaData) -> ToolResult:
    ctx, persona = opened.ctx, await _named(opened, data.name)
    if action is PersonaAction.UPDATE and not data.changes:
        raise InvalidInput("Say what shall be different.", field="persona_data")

    async def effect(uow: UnitOfWork) -> ToolResult:
        where = uow, ctx.principal, ctx.instance_id, opened.project.id, persona.id
        if action is PersonaAction.DELETE:
            return _told(await personas.delete(*where), "is in the trash")
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        outside = ctx.follows_untrusted
        changed = await personas.change(*where, persona.version, data.changes, agent, from_outside=outside)
        return _told(changed, "is changed")

    return await ctx.commit(effect)


async def _named(opened: OpenProject, name: str) -> AudiencePersona:
    known = await personas_of(opened)
    found = next((persona for persona in known if _same(persona, name)), None)
    if found is None:
        there = ", ".join(quoted(persona.name) for persona in known) or "none yet"
        raise NotFound(f"This project has no persona {quoted(name)}. It has: {there}.")
    return found


def _same(persona: AudiencePersona, name: str) -> bool:
    return persona.name.casefold() == " ".join(name.split()).casefold()


async def _at_once(result: ToolResult) -> ToolResult:
    return result


def _told(persona: AudiencePersona, what: str) -> ToolResult:
    return ToolResult(message=f"The persona {quoted(persona.name)} {what}.", data={"personaId": str(persona.id)})
