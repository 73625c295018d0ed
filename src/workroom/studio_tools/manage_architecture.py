"""The structure of a project: adding, renaming, moving, copying and deleting blocks and groups, and what depends on what."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.quotation import quoted
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.studio import blocks
from workroom.studio.types import LONGEST_NAME, MOST_DEPENDENCIES, Block, BlockKind, NewBlock
from workroom.studio_tools.shared.project import BlockName, FieldName, OpenProject, open_for_others, open_project


class StructureAction(StrEnum):
    ADD_BLOCK = "add_block"
    ADD_GROUP = "add_group"
    RENAME = "rename"
    MOVE = "move"
    COPY = "copy"
    DELETE = "delete"
    DEPEND = "depend"


Group = Annotated[str, Field(max_length=500, description="To add or move into; empty: the top of a phase.")]
NewName = Annotated[str, Field(max_length=LONGEST_NAME, description="To rename.")]
PhaseName = Annotated[str, Field(max_length=200, description="To add or move to, by code or name.")]
Before = Annotated[
    str, Field(max_length=500, description="To move: the block it shall stand before; empty: at the end.")
]
Needs = Annotated[
    list[BlockName] | None,
    Field(max_length=MOST_DEPENDENCIES, description="To add or depend: all the blocks it builds on."),
]


async def _ask_to_delete(
    ctx: ToolContext,
    action: StructureAction,
    block_name: FieldName,
    parent_name: Group = "",
    new_name: NewName = "",
    phase: PhaseName = "",
    before: Before = "",
    depends_on: Needs = None,
) -> ConfirmPrompt | None:
    """The one action that takes something away; it says whether other blocks need it."""
    if action is not StructureAction.DELETE:
        return None
    opened = await open_project(ctx, Action.UPDATE)
    block = opened.block(block_name, groups=True)
    if opened.tree.dependants([block.id, *(one.id for one in opened.tree.below(block.id))]):
        text = f"Delete “{block.name}” although other blocks depend on it? It can be restored for thirty days."
        return ConfirmPrompt(text, block.name, "needed", str(block.id))
    return ConfirmPrompt(
        f"Delete “{block.name}”? It can be restored for thirty days.", block.name, "delete", str(block.id)
    )


async def _ask_to_change(
    ctx: ToolContext,
    action: StructureAction,
    block_name: FieldName,
    parent_name: Group = "",
    new_name: NewName = "",
    phase: PhaseName = "",
    before: Before = "",
    depends_on: Needs = None,
) -> ConfirmPrompt | None:
    if await open_for_others(ctx) is None:
        return None
    name = block_name[:LONGEST_NAME]
    return ConfirmPrompt(f"Change the structure of the project at “{name}”? Everyone in this workspace sees it.", name)


@tool(
    "manage_architecture",
    effect="ours",
    sets={"studio"},
    confirm=_ask_to_delete,
    confirm_untrusted=_ask_to_change,
    needs="project",
)
async def manage_architecture(
    ctx: ToolContext,
    action: StructureAction,
    block_name: FieldName,
    parent_name: Group = "",
    new_name: NewName = "",
    phase: PhaseName = "",
    before: Before = "",
    depends_on: Needs = None,
) -> ToolResult:
    """Add, rename, move, copy or delete a block or a group, or say which blocks a block builds on. Texts stay as they are."""
    opened = await open_project(ctx, Action.UPDATE)

    async def effect(uow: UnitOfWork) -> ToolResult:
        where = uow, ctx.principal, ctx.instance_id, opened.project.id
        parent_id = opened.block(parent_name, groups=True).id if parent_name else None
        needs = [block.id for block in opened.blocks(depends_on or ())]
        if action in (StructureAction.ADD_BLOCK, StructureAction.ADD_GROUP):
            kind = BlockKind.GROUP if action is StructureAction.ADD_GROUP else BlockKind.BLOCK
            name = block_name.strip().removeprefix("@").strip('"')
            added = await blocks.add(*where, NewBlock(name, kind, phase or None, parent_id, tuple(needs)))
            return _told(added, f"is there, a {kind} in {added.phase}")
        block = opened.block(block_name, groups=True)
        match action:
            case StructureAction.RENAME:
                return _told(await blocks.rename(*where, block.id, new_name), f"was {quoted(block.name)} before")
            case StructureAction.MOVE:
                follower = opened.block(before, groups=True) if before else None
                if follower is not None and not parent_name:
                    parent_id, target = follower.parent_id, follower.phase
                else:
                    target = phase
                position = _position(opened, block, follower)
                moved = await blocks.move(*where, block.id, parent_id, target or None, position)
                group = opened.tree.parent(moved)
                return _told(moved, f"stands in {quoted(group.name) if group else moved.phase} now")
            case StructureAction.COPY:
                return _told(await blocks.copy(*where, block.id), f"is a copy of {quoted(block.name)}")
            case StructureAction.DEPEND:
                await blocks.depend(*where, block.id, needs)
                names = ", ".join(quoted(opened.tree.get(id_).name) for id_ in needs) or "nothing"
                return _told(block, f"builds on {names}")
            case _:
                # The user was asked when others depend on it.
                return _told(await blocks.delete(*where, block.id, force=True), "is in the trash")

    return await ctx.commit(effect)


def _position(opened: OpenProject, block: Block, follower: Block | None) -> int | None:
    """Among its siblings to be, without itself."""
    if follower is None:
        return None
    siblings = [one for one in opened.tree.siblings(follower.parent_id, follower.phase) if one.id != block.id]
    if follower.id == block.id:
        raise InvalidInput("A block cannot stand before itself.", field="before")
    return siblings.index(follower)


def _told(block: Block, what: str) -> ToolResult:
    message = f"{quoted(block.name)} {what}."
    data: dict[str, UUID | str] = {"blockId": str(block.id)}
    return ToolResult(message=message, data=data)
