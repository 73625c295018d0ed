"""Putting a text into a block as it is."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.pauses import Proposal
from workroom.core.results import ToolResult
from workroom.identity.types import Action
from workroom.studio.types import LARGEST_TEXT
from workroom.studio_tools.shared.block_writes import WrittenText, store_reviewed, write_or_propose, write_prompt
from workroom.studio_tools.shared.project import FieldName, open_project

Content = Annotated[str, Field(min_length=1, max_length=LARGEST_TEXT, description="The whole text, as Markdown.")]


async def _ask_to_write(ctx: ToolContext, field_name: FieldName, content: Content) -> ConfirmPrompt | None:
    return await write_prompt(ctx, field_name)


@tool(
    "update_field",
    effect="ours",
    sets={"studio"},
    pauses=True,
    answered=store_reviewed,
    confirm_untrusted=_ask_to_write,
    needs="project",
)
async def update_field(ctx: ToolContext, field_name: FieldName, content: Content) -> ToolResult | Proposal:
    """Store a text that is ready in a block, such as the intent analysis or what the user dictates."""
    opened = await open_project(ctx, Action.UPDATE)
    block = await opened.text_of(opened.block(field_name))
    return await write_or_propose(opened, WrittenText(block, content, from_outside=ctx.follows_untrusted))
