"""What was said earlier in this conversation, word for word: for what the model sees summed up, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workroom.agent.summaries import READ_CONVERSATION
from workroom.agent.tool import ToolContext, tool
from workroom.conversations.types import StoredMessage
from workroom.core.errors import InvalidInput
from workroom.core.results import ToolResult
from workroom.runs.service import Runs

PAGE = 12_000  # characters


@tool(READ_CONVERSATION, effect="read", sets={"core"})
async def read_conversation(ctx: ToolContext, query: str = "", page: int = 1) -> ToolResult:
    """Read what was said earlier in this conversation, word for word and oldest first. Use it when the user asks what exactly was
    said, or when a summary does not say enough. `query`: only messages in which all of these words occur."""
    messages = await ctx.use(Runs).said_before(ctx.principal, ctx.instance_id, ctx.conversation_id, ctx.message_id)
    pages = list(_pages(list(_entries(messages, query))))
    if not pages:
        return ToolResult(message="Nothing that was said here has all of these words. Try fewer of them, or none.")
    if not 1 <= page <= len(pages):
        raise InvalidInput(f"There are {len(pages)} pages. Ask for one of them.")
    more = f" Page {page + 1} has more." if page < len(pages) else ""
    return ToolResult(message=f"{pages[page - 1]}\n[page {page} of {len(pages)}.{more}]")


def _entries(messages: Sequence[StoredMessage], query: str) -> Iterator[str]:
    """Each message that has words of its own, under its number, speaker and time."""
    wanted = query.casefold().split()
    for number, stored in enumerate(messages, start=1):
        files = [f"[Attached: {file.name}]" for file in stored.message.files]
        text = "\n".join([*files, stored.message.text.strip()]).strip()
        if text and all(word in text.casefold() for word in wanted):
            speaker = stored.author_name or stored.message.role
            yield f"[{number}, {speaker}, {stored.created_at:%Y-%m-%d %H:%M} UTC]\n{text}"


def _pages(entries: Sequence[str]) -> Iterator[str]:
    """Whole messages as long as they fit; one that is longer than a page is cut into several."""
    page = ""
    for text in (piece[at : at + PAGE] for piece in entries for at in range(0, len(piece), PAGE)):
        if page and len(page) + len(text) > PAGE:
            yield page
            page = ""
        page = f"{page}\n\n{text}" if page else text
    if page:
        yield page
