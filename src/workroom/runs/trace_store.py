"""All SQL of traces, for several runs at once: which runs, their answers, and their tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.core.messages import CallPart, StoredParts
from workroom.core.pages import Page, PageRequest
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.runs.reader_redaction import redacted_result


@dataclass(frozen=True)
class TracedAnswer:
    """A message a run wrote, with the calls it asks for."""

    message_id: UUID
    calls: Sequence[CallPart]


@dataclass(frozen=True)
class CallMade:
    """A tool call and its result; without one it is not finished."""

    result: ToolResult | None
    duration_ms: int | None


async def run_ids(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, request: PageRequest) -> Page[UUID]:
    listing = Listing(
        "select run_id as id, created_at, state, model from runs where mandate_id = $1 and conversation_id = $2",
        [mandate_id, conversation_id],
        sorts={"startedAt": moment("created_at"), "status": "state"},
        default_sort="startedAt",
        search=["state", "model"],
    )
    return (await page(uow, listing, request)).map(lambda row: row["id"])


async def answers(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, runs: Sequence[UUID]
) -> dict[UUID, list[TracedAnswer]]:
    """By run, in the order in which they were written."""
    rows = await uow.fetch(
        "select run_id, message_id, content from messages where mandate_id = $1 and conversation_id = $2"
        " and run_id = any($3) and role = 'assistant' order by created_at, message_id",
        mandate_id,
        conversation_id,
        list(runs),
    )
    by_run: dict[UUID, list[TracedAnswer]] = {}
    for row in rows:
        parts = StoredParts.model_validate_json(row["content"]).parts
        calls = [part for part in parts if isinstance(part, CallPart)]
        by_run.setdefault(row["run_id"], []).append(TracedAnswer(row["message_id"], calls))
    return by_run


async def calls_made(
    uow: UnitOfWork, mandate_id: UUID, runs: Sequence[UUID], reader: UUID | None
) -> dict[UUID, CallMade]:
    """By call, as this person may see them."""
    rows = await uow.fetch(
        "select c.call_id, c.result, c.duration_ms, r.user_id from tool_calls c join runs r using (mandate_id, run_id)"
        " where c.mandate_id = $1 and c.run_id = any($2)",
        mandate_id,
        list(runs),
    )
    return {row["call_id"]: _made(row, reader) for row in rows}


def _made(row: Any, reader: UUID | None) -> CallMade:
    result = ToolResult.model_validate_json(row["result"]) if row["result"] else None
    shown = redacted_result(result, row["user_id"], reader) if result else None
    return CallMade(shown, row["duration_ms"])
