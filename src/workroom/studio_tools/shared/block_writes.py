"""What an agent writes into a block: stored at once, or proposed to the user where it would replace something they hold on to."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from workroom.agent.pause_answers import declined
from workroom.agent.tool import ConfirmPrompt, ToolContext
from workroom.core.errors import NotFound
from workroom.core.money import ZERO
from workroom.core.pauses import Proposal, Reviewed
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.runs.call_agents import calling_agent
from workroom.studio import texts
from workroom.studio.errors import BlockChanged
from workroom.studio.types import Block, BlockInput, BlockStatus, BlockText
from workroom.studio_tools.shared.project import OpenProject, open_for_others
from workroom.studio_tools.shared.widgets import WrittenBlock


@dataclass(frozen=True)
class WrittenText:
    """`base` is the block as the text was made from it. `from_outside`: it contains what was read on the web or in files."""

    base: BlockText
    text: str
    cost_chf: Decimal = ZERO
    from_outside: bool = False


async def write_prompt(ctx: ToolContext, field_name: str) -> ConfirmPrompt | None:
    """Asked once something that others wrote was read: everyone in the workspace reads the block."""
    if (opened := await open_for_others(ctx)) is None:
        return None
    name = opened.block(field_name).name
    return ConfirmPrompt(f"Write the block “{name}”? Everyone in this workspace can read it.", name, "write")


async def write_or_propose(opened: OpenProject, written: WrittenText) -> ToolResult | Proposal:
    """A proposal where the block is final, a person is editing it, or it was changed meanwhile; else the stored text. What was
    paid for is not lost, even where the block was deleted."""
    try:
        newest = await opened.text_of(written.base)
        if is_held(newest) or newest.version != written.base.version:
            return proposal(newest, written)
        try:
            return await _commit(opened.ctx, newest, written, BlockStatus.NEEDS_REVIEW)
        except BlockChanged:  # between the two
            return proposal(await opened.text_of(written.base), written)
    except NotFound:
        text = f"“{written.base.name}” was deleted in the meantime. Restore it to store what was written:\n\n{written.text}"
        return ToolResult.error(text).marked(untrusted=written.from_outside)


def is_held(block: Block) -> bool:
    return block.status is BlockStatus.FINAL or block.edited_by is not None


def proposal(newest: BlockText, written: WrittenText) -> Proposal:
    return Proposal(
        text=f"Change the block “{newest.name}”?",
        name=newest.name,
        before=newest.text,
        after=written.text,
        data={
            "projectId": str(newest.project_id),
            "blockId": str(newest.id),
            "version": newest.version,
            "costCHF": format(written.cost_chf, "f"),
            "fromOutside": written.from_outside,
        },
    )


async def store_reviewed(ctx: ToolContext, pause: Proposal, answer: Reviewed) -> ToolResult:
    """What was accepted is stored, unless the block has changed since it was proposed. A final block stays final."""
    if not answer.accepted:
        return declined()
    place = ctx.principal, ctx.instance_id, UUID(pause.data["projectId"]), UUID(pause.data["blockId"])

    async def effect(uow: UnitOfWork) -> ToolResult:
        block = (await texts.read(uow, *place))[1]
        if block.version != pause.data["version"]:
            return ToolResult.error(f"“{block.name}” was changed since it was proposed. Read it, then propose again.")
        text = pause.after if answer.text is None else answer.text
        status = block.status if block.status is BlockStatus.FINAL else BlockStatus.NEEDS_REVIEW
        cost, outside = Decimal(pause.data["costCHF"]), bool(pause.data["fromOutside"])
        given = BlockInput(block.version, text, status, outside, cost)
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        return told(await texts.write(uow, *place, given, agent))

    return await ctx.commit(effect)


def told(block: BlockText) -> ToolResult:
    """Without the text, which the model has just written and the user sees in the editor."""
    size = f"{len(block.text):,} characters"
    message = (
        f"“{block.name}” is stored: version {block.version}, {block.status}, {size}. The user sees it in the editor."
    )
    shown = WrittenBlock(
        project_id=block.project_id,
        block_id=block.id,
        name=block.name,
        phase=block.phase,
        status=block.status,
        version=block.version,
    )
    return shown.shown(message)


async def _commit(ctx: ToolContext, base: BlockText, written: WrittenText, status: BlockStatus) -> ToolResult:
    async def effect(uow: UnitOfWork) -> ToolResult:
        agent = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        given = BlockInput(base.version, written.text, status, written.from_outside, written.cost_chf)
        place = ctx.principal, ctx.instance_id, base.project_id, base.id
        return told(await texts.write(uow, *place, given, agent))

    return await ctx.commit(effect)
