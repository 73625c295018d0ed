"""Changing the text of a block by an instruction."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.pauses import Proposal
from workroom.core.results import ToolResult
from workroom.identity.types import Action
from workroom.studio_tools.shared.block_writes import WrittenText, store_reviewed, write_or_propose, write_prompt
from workroom.studio_tools.shared.materials import material_of, surroundings
from workroom.studio_tools.shared.model_answers import WRITING_SECONDS, Material, ask_for_text
from workroom.studio_tools.shared.project import BlockName, FieldName, open_project

TASK = (
    "Change the text between the tags <text> as the instruction says, and leave everything else in it as it is, headings and"
    " formatting included. Blocks between the tags <reference> are what the instruction refers to."
)

Instruction = Annotated[str, Field(min_length=1, max_length=4_000, description="What to change, as the user said it.")]
References = Annotated[
    list[BlockName] | None, Field(max_length=10, description="Names of blocks that the change refers to.")
]


async def _ask_to_write(
    ctx: ToolContext, field_name: FieldName, modification_instruction: Instruction, reference_fields: References = None
) -> ConfirmPrompt | None:
    return await write_prompt(ctx, field_name)


@tool(
    "modify_field",
    effect="ours",
    sets={"studio"},
    pauses=True,
    answered=store_reviewed,
    confirm_untrusted=_ask_to_write,
    needs="project",
    seconds=WRITING_SECONDS,
)
async def modify_field(
    ctx: ToolContext, field_name: FieldName, modification_instruction: Instruction, reference_fields: References = None
) -> ToolResult | Proposal:
    """Change the text of a block by an instruction, such as “shorter” or “in the tone of @Teaser”. A model rewrites it."""
    opened = await open_project(ctx, Action.UPDATE)
    block = await opened.text_of(opened.block(field_name))
    if not block.text:
        raise InvalidInput(f"“{block.name}” is empty. Write it with generate_field_content.", field="field_name")
    references = await opened.texts_of(opened.blocks(reference_fields or ()))
    around = await surroundings(opened, [block, *references])
    materials = [
        *around.materials,
        *[material_of(reference, "reference") for reference in references],
        material_of(block, "text"),
        Material("instruction", modification_instruction),
    ]
    answer = await ask_for_text(ctx, opened.project, TASK, materials)
    outside = ctx.follows_untrusted or around.by_others
    return await write_or_propose(opened, WrittenText(block, answer.text, answer.cost_chf, outside))
