"""What the model gets to see of the conversation.

A result that is too long is shown by its first page, with a note how to read on: one oversized result must not push
everything else out of the window, nor be paid for in every round.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from workroom.core.messages import Message, ResultPart
from workroom.core.results import ToolResult

PAGE = 20_000  # characters
NOTE = 400  # a page that was asked for comes with its note


def for_model(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(_shortened(message) for message in messages)


def page_of(text: str, page: int, call_id: UUID) -> str:
    """One page of a long result, from 1, with where it is and how to go on."""
    pages = max(1, -(-len(text) // PAGE))
    part = text[(page - 1) * PAGE : page * PAGE]
    if pages == 1:
        return part
    more = f" Call readResult with callId {call_id} and page {page + 1} for more." if page < pages else ""
    return f"{part}\n[page {page} of {pages}, {len(text):,} characters in all.{more}]"


def _shortened(message: Message) -> Message:
    parts = [_first_page(part) if isinstance(part, ResultPart) else part for part in message.parts]
    return message if parts == message.parts else message.model_copy(update={"parts": parts})


def _first_page(part: ResultPart) -> ResultPart:
    text = part.result.text()
    if len(text) <= PAGE + NOTE:
        return part
    shown = ToolResult(status=part.result.status, message=page_of(text, 1, part.call_id))
    return part.model_copy(update={"result": shown})
