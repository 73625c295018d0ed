"""Skills that people make: reading one when a request fits it, and making, changing and deleting them in conversation."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.core.results import ToolResult, result_of
from workroom.core.wire import Wire
from workroom.custom_skills import service
from workroom.custom_skills.invocation import rendered
from workroom.custom_skills.service import CustomSkills
from workroom.custom_skills.types import (
    LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
    LONGEST_NAME,
    Skill,
    SkillEntry,
    SkillExample,
    SkillParameter,
    SkillVisibility,
    ToolName,
    is_own,
)
from workroom.custom_skills.validation import content_of
from workroom.db import UnitOfWork
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action

SkillName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME + 1)]


class SkillAction(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    LIST = "list"
    READ = "read"


class SkillData(Wire):
    """`instructions` may contain {{parameter}}. An update changes what is given; `newName` renames."""

    name: str = Field("", max_length=LONGEST_NAME + 1)
    new_name: str = Field("", max_length=LONGEST_NAME)
    description: str | None = Field(None, max_length=LONGEST_DESCRIPTION)
    instructions: str | None = Field(None, max_length=LONGEST_INSTRUCTIONS)
    parameters: list[SkillParameter] | None = Field(None, max_length=10)
    tools: list[ToolName] | None = Field(None, max_length=50)
    examples: list[SkillExample] | None = Field(None, max_length=10)
    automatic: bool | None = None
    shared: bool = False

    @property
    def changes(self) -> dict[str, Any]:
        names = ("description", "instructions", "parameters", "tools", "examples", "automatic")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {**given, "name": self.new_name} if self.new_name else given


async def _ask_to_use(ctx: ToolContext, name: SkillName, file: str = "") -> ConfirmPrompt | None:
    """What others wrote becomes instructions only when the user says so."""
    skill = await _named(ctx, name)
    if _is_own(ctx, skill):
        return None
    question = f"Work by the skill /{skill.name}, which another person wrote?"
    return ConfirmPrompt(question, f"/{skill.name}", subject=_subject(skill))


@tool("useSkill", effect="read", sets={"core"}, confirm=_ask_to_use, needs="skills")
async def use_skill(ctx: ToolContext, name: SkillName, file: Annotated[str, Field(max_length=300)] = "") -> ToolResult:
    """Read a skill and do the work as it says, or read one `file` of it."""
    skill = await _named(ctx, name)
    if not file:
        return _marked(ctx, skill, rendered(skill.content, {}))
    text = next((each.text for each in skill.files if each.path == file), None)
    if text is None:
        there = ", ".join(each.path for each in skill.files) or "none"
        raise NotFound(f"The skill /{skill.name} has no file {file!r}. It has: {there}.")
    return _marked(ctx, skill, text)


_QUESTIONS = {
    "create": "Create the skill {name}? Agents can work by it from then on.",
    "share": "Create the skill {name} and share it with the workspace? All its members and their agents can work by it.",
    "update": "Change the skill {name}? Agents will work by the new version.",
    "delete": "Move the skill {name} to the trash?",
}


async def _ask_to_write(ctx: ToolContext, action: SkillAction, skill_data: SkillData) -> ConfirmPrompt | None:
    """A skill is what agents do from then on, so the user sees it first."""
    if action in (SkillAction.LIST, SkillAction.READ):
        return None
    subject = ""
    if action is not SkillAction.CREATE:
        needed = Action.DELETE if action is SkillAction.DELETE else Action.UPDATE
        subject = _subject(await _named(ctx, skill_data.name, needed))
    name = f"/{(skill_data.name or skill_data.new_name).removeprefix('/')}"
    what = "share" if action is SkillAction.CREATE and skill_data.shared else action.value
    return ConfirmPrompt(_QUESTIONS[what].format(name=name), name, what, subject)


@tool("manage_skill", effect="ours", sets={"core"}, confirm=_ask_to_write, rare=True)
async def manage_skill(ctx: ToolContext, action: SkillAction, skill_data: SkillData) -> ToolResult:
    """List, read, create, update or delete skills: instructions with a name, parameters and tools for work that comes again."""
    skills = ctx.use(CustomSkills)
    read = await _read(ctx, action, skill_data.name)

    async def effect(uow: UnitOfWork) -> ToolResult:
        if read is not None:
            return read
        where = (uow, ctx.principal, ctx.instance_id)
        if action is SkillAction.CREATE:
            content = content_of({"name": skill_data.new_name or skill_data.name, **skill_data.changes})
            visibility: SkillVisibility = Visibility.GROUP if skill_data.shared else Visibility.MY
            made = await skills.write(*where, content, visibility)
            return _told(made, "is there; the user calls it by that name")
        skill = await service.by_name(*where, skill_data.name)
        if skill is None:
            raise NotFound(f"There is no skill /{skill_data.name} here.")
        if action is SkillAction.DELETE:
            return _told(await service.move_to_trash(*where, skill.id), "is in the trash")
        if not skill_data.changes:
            raise InvalidInput("Say what shall be different.", field="skill_data")
        changed = await skills.rewrite(*where, skill.id, skill.version, skill_data.changes)
        return _told(changed, f"is in version {changed.version}")

    return await ctx.commit(effect)


async def _read(ctx: ToolContext, action: SkillAction, name: str) -> ToolResult | None:
    """The result of actions that only read."""
    if action is SkillAction.LIST:
        page = await ctx.use(CustomSkills).list(ctx.principal, ctx.instance_id, PageRequest(query=name, limit=100))
        others = not all(_is_own(ctx, skill) for skill in page.items)
        private = any(skill.visibility is Visibility.MY for skill in page.items)
        return result_of([_listed(skill) for skill in page.items]).marked(untrusted=others, private=private)
    if action is SkillAction.READ:
        skill = await _named(ctx, name)
        return _marked(ctx, skill, skill.content)
    return None


def _marked(ctx: ToolContext, skill: Skill, value: object) -> ToolResult:
    """What another person wrote marks the run; what is private stays with the person it was read for."""
    return result_of(value).marked(untrusted=not _is_own(ctx, skill), private=skill.visibility is Visibility.MY)


def _is_own(ctx: ToolContext, skill: Skill | SkillEntry) -> bool:
    return is_own(skill, ctx.principal.user_id)


def _subject(skill: Skill) -> str:
    return f"{skill.id} {skill.version}"


async def _named(ctx: ToolContext, name: str, action: Action = Action.READ) -> Skill:
    return await ctx.use(CustomSkills).named(ctx.principal, ctx.instance_id, name, action)


def _listed(skill: SkillEntry) -> dict[str, Any]:
    told = {"name", "description", "parameters", "tools", "automatic"}
    return {**skill.model_dump(mode="json", include=told), "shared": skill.visibility is Visibility.GROUP}


def _told(skill: Skill, what: str) -> ToolResult:
    return ToolResult(message=f"The skill /{skill.name} {what}.")
