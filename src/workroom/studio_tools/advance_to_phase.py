"""Going on to the next phase of a project, or to a certain one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.studio import projects
from workroom.studio.project_phases import find_phase, is_forward, next_phase, phase_name, phase_purpose
from workroom.studio.types import PhaseStatus
from workroom.studio_tools.shared.project import OpenProject, open_for_others, open_project

MOST_NAMED = 5
TargetPhase = Annotated[str, Field(max_length=200, description="Code or name of a phase; empty: the next one.")]


def _target(opened: OpenProject, target_phase: str) -> str | None:
    return find_phase(opened.project, target_phase) if target_phase else next_phase(opened.project)


async def _ask_to_leave_empty(ctx: ToolContext, target_phase: TargetPhase = "") -> ConfirmPrompt | None:
    """Asked where blocks of a phase that is left forward are empty."""
    opened = await open_project(ctx, Action.UPDATE)
    project = opened.project
    empty = opened.tree.empty_in(project.current_phase)
    if not empty or not is_forward(project, _target(opened, target_phase)):
        return None
    names = ", ".join(f"“{block.name}”" for block in empty[:MOST_NAMED]) + (", …" if len(empty) > MOST_NAMED else "")
    text = f"Leave the phase although blocks in it are empty: {names}?"
    return ConfirmPrompt(text, names, "incomplete", _step(opened, target_phase))


async def _ask_to_advance(ctx: ToolContext, target_phase: TargetPhase = "") -> ConfirmPrompt | None:
    if (opened := await open_for_others(ctx)) is None:
        return None
    target = _target(opened, target_phase) or opened.project.current_phase
    name = phase_name(opened.project, target, ctx.language)
    text = f"Go on to the phase “{name}”? Everyone who works on the project sees it."
    return ConfirmPrompt(text, name, subject=_step(opened, target_phase))


def _step(opened: OpenProject, target_phase: str) -> str:
    """Days may pass until the answer, and another person may have gone on: a yes is to this step and no other."""
    return f"{opened.project.current_phase} {_target(opened, target_phase)}"


@tool(
    "advance_to_phase",
    effect="ours",
    sets={"studio"},
    confirm=_ask_to_leave_empty,
    confirm_untrusted=_ask_to_advance,
    needs="project",
)
async def advance_to_phase(ctx: ToolContext, target_phase: TargetPhase = "") -> ToolResult:
    """Take the project to the next phase, or to the one that is named, also back to an earlier one."""
    opened = await open_project(ctx, Action.UPDATE)

    async def effect(uow: UnitOfWork) -> ToolResult:
        # Where blocks are empty the user was asked.
        changed = await projects.advance(
            uow, ctx.principal, ctx.instance_id, opened.project.id, target_phase or None, force=True
        )
        now = changed.current_phase
        if changed.phase_status.get(now) is PhaseStatus.COMPLETED:
            return ToolResult(message=f"The last phase, {now}, is completed.")
        name, purpose = phase_name(changed, now, changed.language), phase_purpose(now, changed.language)
        return ToolResult(message=f"The project is in {now} (“{name}”) now. {purpose}".strip(), data={"phase": now})

    return await ctx.commit(effect)
