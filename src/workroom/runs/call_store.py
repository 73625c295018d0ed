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
    """`state` is None when it is finished; then there is a result."""

    state: CallState | None
    result: ToolResult | None
    pause: Pause | None
    answer: PauseAnswer | None


@dataclass(frozen=True)
class Waiting:
    """A call that a person has been asked about."""

    call_id: UUID
    tool: str
    state: str
    pause: Pause
    answer: PauseAnswer | None


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


async def pause(uow: UnitOfWork, key: RunKey, call_id: UUID, asked: Pause) -> None:
    """Also one that was confirmed before: what it asks now is another question."""
    done = await uow.execute(
        "update tool_calls set state = 'waiting', pause = $3, answer = null where mandate_id = $1 and call_id = $2"
        " and state in ('asked', 'started', 'answered')",
        key.mandate_id,
        call_id,
        asked.model_dump_json(),
    )
    if done != 1:
        raise LeaseLost  # somebody else has finished it


async def asked_about(uow: UnitOfWork, key: RunKey, call_id: UUID | None = None) -> Waiting | None:
    """The call of this run that waits; or this one, waiting or not, if somebody was ever asked about it."""
    row = await uow.fetchrow(
        "select call_id, tool, state, pause, answer from tool_calls where mandate_id = $1 and run_id = $2"
        " and pause is not null and ($3::uuid is null and state = 'waiting' or call_id = $3) for update",
        key.mandate_id,
        key.run_id,
        call_id,
    )
    if row is None:
        return None
    known = _known(row)
    assert known.pause is not None
    return Waiting(row["call_id"], row["tool"], row["state"], known.pause, known.answer)


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
        raise LeaseLost  # somebody else has finished it


async def of_messages(uow: UnitOfWork, mandate_id: UUID, messages: Sequence[UUID]) -> dict[UUID, KnownCall]:
    """What is known of the calls these messages asked for, by call id."""
    rows = await uow.fetch(
        "select call_id, state, result, pause, answer from tool_calls where mandate_id = $1 and message_id = any($2)",
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


def _known(row: Any) -> KnownCall:
    return KnownCall(
        None if row["state"] == "finished" else CallState(row["state"]),
        ToolResult.model_validate_json(row["result"]) if row.get("result") else None,
        PAUSE.validate_json(row["pause"]) if row["pause"] else None,
        ANSWER.validate_json(row["answer"]) if row["answer"] else None,
    )
