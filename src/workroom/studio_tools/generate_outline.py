"""Laying out a project: a model drafts groups and blocks, which are added to what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.quotation import quoted
from workroom.core.results import ToolResult
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.studio import blocks
from workroom.studio.project_phases import find_phase, phase_name, phase_purpose, visible
from workroom.studio.tree import BlockTree
from workroom.studio.types import LONGEST_NAME, Block, BlockKind, NewBlock
from workroom.studio_tools.shared.materials import material_of, surroundings
from workroom.studio_tools.shared.model_answers import WRITING_SECONDS, Material, ask_for_value
from workroom.studio_tools.shared.project import OpenProject, open_for_others, open_project, printable

MOST_PARTS = 60
TASK = (
    "Lay out the content of this project: the groups and blocks that are still missing, each block a text that is written in one"
    " go. `phase` is one of: {phases}. `group` is the name of a group of the same phase that comes before it in your list, or"
    " empty. `dependsOn` names blocks that have to be written before, from your list or from what there is. Repeat nothing that"
    " is there already, and make names short and telling."
)

Style = Annotated[str, Field(max_length=500, description="Kind of outline, such as `guide in five chapters`.")]
Instructions = Annotated[str, Field(max_length=4_000, description="What else the user wants of it.")]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class OutlinePart(Wire):
    name: Name
    phase: str = Field(max_length=200)
    kind: BlockKind = BlockKind.BLOCK
    group: str = Field("", max_length=LONGEST_NAME)
    depends_on: list[Name] = Field(default_factory=list, max_length=10)


class Outline(Wire):
    parts: list[OutlinePart] = Field(min_length=1, max_length=MOST_PARTS)


async def _ask_to_lay_out(
    ctx: ToolContext, style: Style = "", additional_instructions: Instructions = ""
) -> ConfirmPrompt | None:
    if (opened := await open_for_others(ctx)) is None:
        return None
    name = opened.project.name
    return ConfirmPrompt(f"Add groups and blocks to the project “{name}”? Everyone in this workspace sees them.", name)


@tool(
    "generate_outline",
    effect="ours",
    sets={"studio"},
    confirm_untrusted=_ask_to_lay_out,
    needs="project",
    seconds=WRITING_SECONDS,
)
async def generate_outline(
    ctx: ToolContext, style: Style = "", additional_instructions: Instructions = ""
) -> ToolResult:
    """Have the structure of the project drafted: a model adds empty groups and blocks with what depends on what."""
    opened = await open_project(ctx, Action.UPDATE)
    opened.require_room()
    project = opened.project
    phases = [f"{code} ({phase_purpose(code, 'en') or phase_name(project, code, 'en')})" for code in visible(project)]
    planned = [block for block in opened.tree.by_id.values() if block.phase.startswith("design") and block.version > 0]
    basis = await opened.texts_of(planned)
    materials = [
        *(await surroundings(opened, basis)).materials,
        *[material_of(text, "plan") for text in basis],
        Material("structure", _structure(opened)),
        Material("style", style),
        Material("wishes", additional_instructions),
    ]
    answer = await ask_for_value(ctx, project, TASK.format(phases="; ".join(phases)), materials, Outline)

    async def effect(uow: UnitOfWork) -> ToolResult:
        added = [block for part in answer.value.parts if (block := await _add(uow, opened, part)) is not None]
        if not added:
            raise Conflict("The model laid out nothing that is not there already. Say what shall be different.")
        names = ", ".join(f"{quoted(block.name)} in {block.phase}" for block in added)
        return ToolResult(
            message=f"Added: {names}. They are empty; the user sees them in the tree.",
            data={"blockIds": [str(block.id) for block in added]},
        )

    return await ctx.commit(effect)


async def _add(uow: UnitOfWork, opened: OpenProject, part: OutlinePart) -> Block | None:
    """None when there is one of that name in that place already, or no such phase. Groups and blocks that it names and that are
    not there count as not named."""
    ctx = opened.ctx
    where = uow, ctx.principal, ctx.instance_id, opened.project.id
    project, tree = await blocks.read_tree(*where, Action.UPDATE)
    try:
        phase = find_phase(project, part.phase)
    except NotFound:
        return None
    group_id = _id_of(tree, part.group, phase, BlockKind.GROUP)
    if any(_same(one.name, part.name) for one in tree.siblings(group_id, phase)):
        return None
    needs = [] if part.kind is BlockKind.GROUP else [_id_of(tree, name) for name in part.depends_on]
    new = NewBlock(printable(part.name), part.kind, phase, group_id, tuple(id_ for id_ in needs if id_ is not None))
    try:
        return await blocks.add(*where, new)
    except InvalidInput as error:
        raise Conflict(f"The model's outline does not fit ({error.message}) Try again.") from None


def _id_of(tree: BlockTree, name: str, phase: str | None = None, kind: BlockKind = BlockKind.BLOCK) -> UUID | None:
    fitting = (
        block
        for block in tree.by_id.values()
        if block.kind is kind and _same(block.name, name) and phase in (None, block.phase)
    )
    return next((block.id for block in fitting), None)


def _same(name: str, other: str) -> bool:
    return name.casefold() == " ".join(other.split()).casefold()


def _structure(opened: OpenProject) -> str:
    tree = opened.tree
    kinds: Mapping[bool, str] = {True: "group", False: "block"}
    lines = [f"{one.phase}: {kinds[one.is_group]} {tree.path(one)}" for one in tree.in_order(visible(opened.project))]
    return "\n".join(lines)
