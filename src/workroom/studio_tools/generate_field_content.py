"""Writing the text of a block from what it builds on."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.pauses import Proposal
from workroom.core.results import ToolResult
from workroom.identity.types import Action
from workroom.studio.project_phases import phase_name, phase_purpose
from workroom.studio_tools.shared.block_writes import WrittenText, store_reviewed, write_or_propose, write_prompt
from workroom.studio_tools.shared.materials import material_of, surroundings
from workroom.studio_tools.shared.model_answers import WRITING_SECONDS, Material, ask_for_text
from workroom.studio_tools.shared.project import FieldName, open_project

TASK = (
    "Write the text of the block that is described between the tags <block>, for the people it is meant for, in the voice of"
    " the creator if there is one. Build on the texts between the tags <basis>, and contradict none of them."
)

StyleHint = Annotated[str, Field(max_length=1_000, description="How it shall sound or look, if the user said so.")]


async def _ask_to_write(ctx: ToolContext, field_name: FieldName, style_hint: StyleHint = "") -> ConfirmPrompt | None:
    return await write_prompt(ctx, field_name)


@tool(
    "generate_field_content",
    effect="ours",
    sets={"studio"},
    pauses=True,
    answered=store_reviewed,
    confirm_untrusted=_ask_to_write,
    needs="project",
    seconds=WRITING_SECONDS,
)
async def generate_field_content(
    ctx: ToolContext, field_name: FieldName, style_hint: StyleHint = ""
) -> ToolResult | Proposal:
    """Have the text of a block written from the blocks it depends on, the intent and the personas. A model writes it."""
    opened = await open_project(ctx, Action.UPDATE)
    block = await opened.text_of(opened.block(field_name))
    needed = opened.tree.dependencies(block)
    if unwritten := [one.name for one in needed if not one.version or not one.digest]:
        named = ", ".join(f"“{name}”" for name in unwritten)
        raise InvalidInput(
            f"“{block.name}” builds on blocks that are empty: {named}. Write them first.", field="field_name"
        )
    basis = await opened.texts_of(needed)
    project = opened.project
    lines = [
        f"Phase: {phase_name(project, block.phase, project.language)}. {phase_purpose(block.phase, project.language)}",
        f"It stands at: {opened.tree.path(block)}",
    ]
    around = await surroundings(opened, basis)
    materials = [
        *around.materials,
        *[material_of(text, "basis") for text in basis],
        Material("block", "\n".join(lines), block.name),
        Material("style", style_hint),
    ]
    answer = await ask_for_text(ctx, project, TASK, materials)
    outside = ctx.follows_untrusted or around.by_others
    return await write_or_propose(opened, WrittenText(block, answer.text, answer.cost_chf, outside))
