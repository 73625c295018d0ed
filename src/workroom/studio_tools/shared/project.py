"""The project a call works on, and the blocks it means."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext
from workroom.core.errors import NotFound
from workroom.identity.types import Action
from workroom.studio.errors import TooManyBlocks
from workroom.studio.intent_interview import intent_block
from workroom.studio.references import find_block
from workroom.studio.services import Studio
from workroom.studio.texts import is_by_others
from workroom.studio.tree import BlockTree
from workroom.studio.types import MOST_BLOCKS, Block, BlockText, Project

BlockName = Annotated[str, Field(min_length=1, max_length=500)]
FieldName = Annotated[
    str, Field(min_length=1, max_length=500, description="Name of a block, or its path such as `Posts/Headline`.")
]


@dataclass(frozen=True)
class OpenProject:
    """As it was when the call began."""

    ctx: ToolContext
    project: Project
    tree: BlockTree

    def block(self, reference: str, *, groups: bool = False) -> Block:
        return find_block(self.tree, reference, groups=groups)

    def blocks(self, references: Sequence[str]) -> list[Block]:
        """Each once."""
        return list({block.id: block for block in map(self.block, references)}.values())

    def require_room(self) -> None:
        """Raises TooManyBlocks where no block can be added: before a model is paid for one."""
        if len(self.tree.by_id) >= MOST_BLOCKS:
            raise TooManyBlocks

    async def text_of(self, block: Block) -> BlockText:
        """As it is now."""
        ctx = self.ctx
        return await ctx.use(Studio).texts.read(ctx.principal, ctx.instance_id, self.project.id, block.id)

    async def texts_of(self, blocks: Sequence[Block]) -> list[BlockText]:
        return [await self.text_of(block) for block in blocks]

    async def intent(self) -> BlockText | None:
        """The intent analysis, once it is written."""
        block = intent_block(self.tree)
        return await self.text_of(block) if block is not None and block.version > 0 else None


async def open_project(ctx: ToolContext, action: Action = Action.READ) -> OpenProject:
    """Raises NotFound in a conversation that belongs to none. `action`: what is to be done with it."""
    studio = ctx.use(Studio)
    if action is not Action.READ:
        await studio.projects.require_working(ctx.principal, ctx.instance_id)
    project = await studio.conversations.project_of(ctx.principal, ctx.instance_id, ctx.conversation_id)
    if project is None:
        raise NotFound("This conversation belongs to no project. The user opens one in the studio.")
    return OpenProject(ctx, *await studio.blocks.tree(ctx.principal, ctx.instance_id, project.id))


async def open_for_others(ctx: ToolContext) -> OpenProject | None:
    """To ask before it changes because of what others wrote. None in a mandate of one person: versions and the trash
    bring back what was there."""
    opened = await open_project(ctx, Action.UPDATE)
    return opened if await ctx.use(Studio).projects.have_other_readers(ctx.principal) else None


def by_others(ctx: ToolContext, block: Block) -> bool:
    """It marks the run."""
    return is_by_others(block, ctx.principal)


def printable(text: str) -> str:
    """As a block can be called: on one line, without the invisible characters that models and pasted questions have."""
    return " ".join("".join(" " if unicodedata.category(char)[0] == "C" else char for char in text).split())
