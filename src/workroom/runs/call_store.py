"""All SQL of tool calls: asked, started, waiting for a person, answered, finished. Each step is taken once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.agent.ports import CallState, LeaseLost
from workroom.core.messages import CallPart
from workroom.core.pauses import ANSWER, PAUSE, Pause, PauseAnswer
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.runs.types import RunKey


@dataclass(frozen=True)
class KnownCall:
    """`state` is None when it is finished; then there is a result. It was made with the rights of `user_id`."""

    run_id: UUID
    state: CallState | None
    result: ToolResult | None
    pause: Pause | None
    answer: PauseAnswer | None
    user_id: UUID
    read_for_facts: bool


@dataclass(frozen=True)
class PausedCall:
    """A call that a person has been asked about."""

    call_id: UUID
    tool: str
    state: str
    pause: Pause
    answer: PauseAnswer | None
    asked_at: datetime | None  # None: from before that was stored


async def add(uow: UnitOfWork, key: RunKey, message_id: UUID, calls: Sequence[CallPart]) -> None:
    if not calls:
        return
    await uow.executemany(
        "insert into tool_calls (mandate_id, call_id, run_id, message_id, position, tool, state)"
        " values ($1, $2, $3, $4, $5, $6, 'asked')",
        [(key.mandate_id, c.call_id, key.run_id, message_id, place, c.tool) for place, c in enumerate(calls)],
    )


async def start(uow: UnitOfWork, key: RunKey, call_id: UUID) -> None:
    """Also one that a person has confirmed: from here on it may have taken effect, and is not begun again."""
    await uow.execute(
        "update tool_calls set state = 'started' where mandate_id = $1 and call_id = $2 and state in ('asked', 'answered')",
        key.mandate_id,
        call_id,
    )


async def pause(uow: UnitOfWork, key: RunKey, call_id: UUID, asked: Pause, now: datetime) -> None:
    """Also one that was confirmed before: what it asks now is another question."""
    done = await uow.execute(
        "update tool_calls set state = 'waiting', pause = $3, answer = null, asked_at = $4"
        " where mandate_id = $1 and call_id = $2 and state in ('asked', 'started', 'answered')",
        key.mandate_id,
        call_id,
        asked.model_dump_json(),
        now,
    )
    if done != 1:
        raise LeaseLost  # another worker has finished it


async def paused_call(uow: UnitOfWork, key: RunKey, call_id: UUID | None = None) -> PausedCall | None:
    """The call of this run that waits for a person; or the call with this id, waiting or not, if it ever did."""
    row = await uow.fetchrow(
        "select call_id, tool, state, pause, answer, asked_at from tool_calls where mandate_id = $1 and run_id = $2"
        " and pause is not null and ($3::uuid is null and state = 'waiting' or call_id = $3) for update",
        key.mandate_id,
        key.run_id,
        call_id,
        writes=True,
    )
    if row is None:
        return None
    return PausedCall(
        row["call_id"],
        row["tool"],
        row["state"],
        PAUSE.validate_json(row["pause"]),
        ANSWER.validate_json(row["answer"]) if row["answer"] else None,
        row["asked_at"],
    )


async def answer(
    uow: UnitOfWork, key: RunKey, call_id: UUID, given: PauseAnswer, client_id: str | None, now: datetime
) -> bool:
    """Once: False if it has been answered already."""
    done = await uow.execute(
        "update tool_calls set state = 'answered', answer = $3, answer_client_id = $4, answered_at = $5"
        " where mandate_id = $1 and call_id = $2 and state = 'waiting'",
        key.mandate_id,
        call_id,
        given.model_dump_json(),
        client_id,
        now,
    )
    return done == 1


async def run_answered_by(uow: UnitOfWork, mandate_id: UUID, client_id: str) -> UUID | None:
    """The run that an input with this id has answered already."""
    found: UUID | None = await uow.fetchval(
        "select run_id from tool_calls where mandate_id = $1 and answer_client_id = $2", mandate_id, client_id
    )
    return found


async def run_of(uow: UnitOfWork, mandate_id: UUID, call_id: UUID) -> UUID | None:
    found: UUID | None = await uow.fetchval(
        "select run_id from tool_calls where mandate_id = $1 and call_id = $2", mandate_id, call_id
    )
    return found


async def has_succeeded(uow: UnitOfWork, mandate_id: UUID, run_id: UUID, tool: str) -> bool:
    return bool(
        await uow.fetchval(
            "select exists (select from tool_calls where mandate_id = $1 and run_id = $2 and tool = $3"
            " and result->>'status' = 'ok')",
            mandate_id,
            run_id,
            tool,
        )
    )


async def finish(uow: UnitOfWork, key: RunKey, call_id: UUID, result: ToolResult, duration_ms: int) -> None:
    done = await uow.execute(
        "update tool_calls set state = 'finished', result = $3, duration_ms = $4"
        " where mandate_id = $1 and call_id = $2 and state <> 'finished'",
        key.mandate_id,
        call_id,
        result.model_dump_json(),
        duration_ms,
    )
    if done != 1:
        raise LeaseLost  # another worker has finished it


async def of_messages(uow: UnitOfWork, mandate_id: UUID, messages: Sequence[UUID]) -> dict[UUID, KnownCall]:
    """What is known of the calls these messages asked for, by call id."""
    rows = await uow.fetch(
        "select c.call_id, c.run_id, c.state, c.result, c.pause, c.answer, c.read_for_facts, r.user_id from tool_calls c"
        " join runs r using (mandate_id, run_id) where c.mandate_id = $1 and c.message_id = any($2)",
        mandate_id,
        list(messages),
    )
    return {row["call_id"]: _known(row) for row in rows}


async def result(uow: UnitOfWork, mandate_id: UUID, call_id: UUID) -> tuple[UUID, ToolResult] | None:
    row = await uow.fetchrow(
        "select run_id, result from tool_calls where mandate_id = $1 and call_id = $2 and state = 'finished'",
        mandate_id,
        call_id,
    )
    return (row["run_id"], ToolResult.model_validate_json(row["result"])) if row else None


async def recent(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID | None, limit: int
) -> list[tuple[UUID, str, datetime, ToolResult]]:
    """Call, tool, time and result: the newest of a conversation, without what was read in documents for another person."""
    rows = await uow.fetch(
        "select c.call_id, c.tool, c.result, m.created_at as at from tool_calls c join runs r using (mandate_id, run_id)"
        " join messages m on m.mandate_id = c.mandate_id and m.message_id = c.message_id"
        " where c.mandate_id = $1 and m.conversation_id = $2 and c.state = 'finished'"
        " and (r.user_id = $3 or not (coalesce((c.result->>'untrusted')::boolean, false)"
        " or coalesce((c.result->>'private')::boolean, false)))"
        " order by m.created_at desc, m.message_id desc, c.position desc limit $4",
        mandate_id,
        conversation_id,
        user_id,
        limit,
    )
    return [(r["call_id"], r["tool"], r["at"], ToolResult.model_validate_json(r["result"])) for r in rows]


async def set_read_for_facts(uow: UnitOfWork, key: RunKey, calls: Sequence[UUID]) -> None:
    await uow.execute(
        "update tool_calls set read_for_facts = true where mandate_id = $1 and call_id = any($2)",
        key.mandate_id,
        list(calls),
    )


def _known(row: Any) -> KnownCall:
    return KnownCall(
        row["run_id"],
        None if row["state"] == "finished" else CallState(row["state"]),
        ToolResult.model_validate_json(row["result"]) if row["result"] else None,
        PAUSE.validate_json(row["pause"]) if row["pause"] else None,
        ANSWER.validate_json(row["answer"]) if row["answer"] else None,
        row["user_id"],
        row["read_for_facts"],
    )
