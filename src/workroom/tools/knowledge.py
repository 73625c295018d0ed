"""Search over what the files of the workspace say."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.results import ToolResult
from workroom.core.sources import citation, unmarked
from workroom.files.finder import Finder
from workroom.knowledge.citations import place_of, source_of
from workroom.knowledge.search import LONGEST_QUERY
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Passage, Query
from workroom.tools.shared.file_arguments import FileName

LONGEST_PASSAGE = 3_000
NOTHING = (
    "Nothing was found. Files that were stored a moment ago may not be searchable yet; try other words, or listFiles."
)


@tool("searchFiles", effect="read", sets={"core"}, untrusted=True, needs="files")
async def search_files(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)],
    fileIds: Annotated[list[FileName], Field(max_length=50)] | None = None,  # noqa: N803 -- the model's spelling
    limit: Annotated[int, Field(ge=1, le=30)] = 8,
) -> ToolResult:
    """Search in what the files of this workspace say; passages come with marks to cite them by."""
    named = [(await ctx.use(Finder).find(ctx.principal, ctx.instance_id, name)).file for name in fileIds or ()]
    asked = Query(query, ctx.instance_id, limit, limit, tuple(file.id for file in named))
    found = (await ctx.use(Knowledge).search(ctx.principal, asked))[:limit]
    if not found:
        return ToolResult(message=NOTHING)
    sources = [source_of(passage) for passage in found]
    said = [
        f"[{unmarked(source.label)}] {citation([source.mark])}\n{unmarked(_shown(passage.text, passage.quote))}"
        for source, passage in zip(sources, found, strict=True)
    ]
    return ToolResult(message="\n\n".join(said), items=[_item(passage) for passage in found], sources=sources)


def _shown(text: str, quote: str) -> str:
    """The beginning of a passage, or from what is marked in it on, if that comes later."""
    at = text.find(quote)
    start = at if at + len(quote) > LONGEST_PASSAGE else 0
    return f"{'… ' if start else ''}{text[start : start + LONGEST_PASSAGE]}"


def _item(passage: Passage) -> dict[str, object]:
    return {
        "fileId": str(passage.file_id),
        "name": passage.file_name,
        "inside": passage.inside,
        "place": place_of(passage).label,
        "location": passage.ref.location,
        "pageIndex": passage.ref.page_index,
        "score": passage.score,
    }
