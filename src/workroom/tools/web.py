"""Searching the web, with the service that is set up for it."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.places import named_place
from workroom.core.results import ToolResult
from workroom.core.sources import Source, citation, unmarked, web_mark
from workroom.websearch.service import WebSearches
from workroom.websearch.types import LONGEST_QUERY, LONGEST_SITE, MOST_RESULTS, WebResult

SECONDS = 90.0
NOTHING = "Nothing was found. Try other words, or fewer."
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
_BRACKETS = str.maketrans("[]", "()")


@tool("webSearch", effect="read", untrusted=True, requires=WebSearches, seconds=SECONDS)
async def web_search(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)],
    maxResults: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 5,  # noqa: N803 -- the model's spelling
    site: Annotated[
        str, Field(max_length=LONGEST_SITE, description="Only of this website, such as `example.org`.")
    ] = "",
) -> ToolResult:
    """Search the web. Results come with marks to cite them by."""
    found = (await ctx.use(WebSearches).find(ctx.principal, query, _site(site), ctx.pay))[:maxResults]
    if not found:
        return ToolResult(message=NOTHING)
    sources = [
        Source(mark=web_mark(result.url), place=named_place(_title(result)), address=result.url) for result in found
    ]
    said = [_told(result, source) for result, source in zip(found, sources, strict=True)]
    items = [result.model_dump(mode="json", exclude_defaults=True) for result in found]
    return ToolResult(message="\n\n".join(said), items=items, sources=sources)


def _site(text: str) -> str | None:
    """The host of what a model gives: some give an address."""
    host = text.strip().casefold().partition("://")[2] or text.strip().casefold()
    host = host.partition("/")[0].removeprefix("www.")
    if host and not _HOST.fullmatch(host):
        raise InvalidInput("A site is the name of a website, such as example.org.", field="site")
    return host or None


def _told(result: WebResult, source: Source) -> str:
    about = " · ".join(filter(None, [result.url, result.date]))
    return f"[{source.label}] {citation([source.mark])}\n{about}\n\n{unmarked(result.excerpt)}"


def _title(result: WebResult) -> str:
    """Brackets would end the line that names the source."""
    return result.title.translate(_BRACKETS)
