"""The essentials of a block: what is known of it, without its text."""

from __future__ import annotations

from collections.abc import Iterable

from workroom.agent.tool import ToolContext, tool
from workroom.core.quotation import quoted
from workroom.core.results import ToolResult
from workroom.studio.project_phases import phase_name
from workroom.studio.types import Block
from workroom.studio_tools.shared.project import FieldName, by_others, open_project


@tool("query_field", effect="read", sets={"studio"}, needs="project")
async def query_field(ctx: ToolContext, field_name: FieldName) -> ToolResult:
    """The essentials of a block: status, digest, author, length, what it depends on and what depends on it."""
    opened = await open_project(ctx)
    block = await opened.text_of(opened.block(field_name))
    tree, project = opened.tree, opened.project
    author = block.agent_name or block.written_by_name or "a person who has left"
    written = (
        f"version {block.version} by {author}, {len(block.text):,} characters" if block.version else "never written"
    )
    lines = [
        f"{quoted(tree.path(block))}, in {block.phase} ({phase_name(project, block.phase, project.language)})",
        f"Status: {block.status}; {written}",
        f"Digest: {quoted(block.digest)}" if block.digest else "",
        f"Depends on: {_names(tree.dependencies(block))}",
        f"Needed by: {_names(tree.dependants([block.id]))}",
        f"Being edited by {quoted(block.edited_by_name or '')}" if block.edited_by else "",
    ]
    return ToolResult(message="\n".join(filter(None, lines))).marked(untrusted=by_others(ctx, block))


def _names(blocks: Iterable[Block]) -> str:
    return ", ".join(quoted(block.name) for block in blocks) or "nothing"
