"""Traces of runs: a view over what is stored anyway (ledger, messages, calls), composed when it is read. No second copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.conversations import access
from workroom.core.errors import NotFound
from workroom.core.messages import CallPart
from workroom.core.pages import Page, PageRequest
from workroom.core.redaction import HIDDEN, SECRET_FIELD, redact
from workroom.core.results import ResultStatus
from workroom.core.run_events import RunState
from workroom.core.traces import AgentRoundLog, AgentTrace, ModelCallLog, ToolCallLog
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Action, Principal
from workroom.runs import store, trace_store
from workroom.runs.reader_redaction import redacted_run
from workroom.runs.trace_store import CallMade, TracedAnswer
from workroom.runs.types import Run, RunKey
from workroom.usage.store import billing
from workroom.usage.types import BillingTransaction, Outcome, Purpose

LONGEST_TEXT = 2_000


class Traces:
    """Readers of a conversation may read the traces of its runs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of_run(self, principal: Principal, run_id: UUID) -> AgentTrace:
        async with self._db.unit_of_work(principal.actor) as uow:
            run = await store.get(uow, RunKey(principal.mandate_id, run_id))
            if run is None:
                raise NotFound("There is no such run, or it is not yours to see.")
            await access.checked(uow, principal, Action.READ, run.instance_id, run.conversation_id)
            return (await self._composed(uow, principal, run.conversation_id, [run]))[0]

    async def of_conversation(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, request: PageRequest
    ) -> Page[AgentTrace]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.READ, instance_id, conversation_id)
            page = await trace_store.run_ids(uow, principal.mandate_id, conversation_id, request)
            runs = {run.id: run for run in await store.of_conversation(uow, principal.mandate_id, conversation_id)}
            traces = await self._composed(uow, principal, conversation_id, [runs[run_id] for run_id in page.items])
            return Page(traces, page.next_cursor, page.total)

    async def _composed(
        self, uow: UnitOfWork, principal: Principal, conversation_id: UUID, runs: Sequence[Run]
    ) -> list[AgentTrace]:
        """Without what a tool read for another person, and without its error messages then."""
        ids, mandate_id = [run.id for run in runs], principal.mandate_id
        answers = await trace_store.answers(uow, mandate_id, conversation_id, ids)
        made = await trace_store.calls_made(uow, mandate_id, ids, principal.user_id)
        billed = await billing.of_runs(uow, mandate_id, ids)
        return [
            compose(redacted_run(run, principal.user_id), answers.get(run.id, []), made, billed.get(run.id, []))
            for run in runs
        ]


def compose(
    run: Run, answers: Sequence[TracedAnswer], made: Mapping[UUID, CallMade], billed: Sequence[BillingTransaction]
) -> AgentTrace:
    rows = [row for row in billed if row.call.purpose is Purpose.ROUND]
    others = [row for row in billed if row.call.purpose is not Purpose.ROUND]
    return AgentTrace(
        run_id=run.id,
        workflow_id=run.conversation_id,
        user_id=run.user_id,
        feature_instance_id=run.instance_id,
        started_at=run.started_at or run.created_at,
        completed_at=run.ended_at,
        status=run.state,
        total_rounds=run.rounds,
        total_tool_calls=run.tool_calls,
        total_cost_chf=_cost(billed),
        cost_assumed=any(row.assumed for row in billed),
        abort_reason=_abort_reason(run),
        rounds=list(_rounds(rows, answers, made)),
        other_calls=[_model_call(row) for row in others],
    )


def _rounds(
    rows: Sequence[BillingTransaction], answers: Sequence[TracedAnswer], made: Mapping[UUID, CallMade]
) -> Iterator[AgentRoundLog]:
    """Every attempt up to an answer belongs to its round; those after the last answer to a round that has none."""
    left, number = list(rows), 0
    for answer in answers:
        ends = next((place for place, row in enumerate(left) if row.message_id == answer.message_id), -1)
        attempts, left = left[: ends + 1], left[ends + 1 :]
        if attempts or answer.calls or not rows:  # a message without a model call, at the end of a run, is no round
            number += 1
            yield _round(number, attempts, [_tool_call(part, made.get(part.call_id)) for part in answer.calls])
    if left:
        yield _round(number + 1, left, [])


def _round(number: int, attempts: Sequence[BillingTransaction], calls: list[ToolCallLog]) -> AgentRoundLog:
    answered = [row for row in attempts if row.outcome is Outcome.ANSWERED] or attempts
    return AgentRoundLog(
        round_number=number,
        ai_model=answered[-1].call.model if answered else "",
        input_tokens=sum(row.usage.input_tokens for row in attempts),
        output_tokens=sum(row.usage.output_tokens for row in attempts),
        cost_chf=_cost(attempts),
        duration_ms=sum(row.duration_ms for row in attempts),
        attempts=[_model_call(row) for row in attempts],
        tool_calls=calls,
    )


def _model_call(row: BillingTransaction) -> ModelCallLog:
    return ModelCallLog(
        purpose=row.call.purpose,
        attempt=row.call.attempt,
        provider=row.call.provider,
        ai_model=row.call.model,
        outcome=row.outcome,
        started_at=row.at,
        duration_ms=row.duration_ms,
        input_tokens=row.usage.input_tokens,
        output_tokens=row.usage.output_tokens,
        cached_tokens=row.usage.cached_tokens,
        sections=dict(row.call.sections),
        cost_chf=row.cost_chf,
        assumed=row.assumed,
        implausible=row.implausible,
    )


def _tool_call(part: CallPart, made: CallMade | None) -> ToolCallLog:
    result = made.result if made else None
    failed = result is not None and result.status is ResultStatus.ERROR
    return ToolCallLog(
        call_id=part.call_id,
        tool_name=part.tool,
        args={name: HIDDEN if part.private else shown(value, name) for name, value in part.arguments.items()},
        success=None if result is None else not failed,
        duration_ms=made.duration_ms if made else None,
        error=shown(result.message) if result is not None and failed else None,
        as_text=part.as_text,
    )


def _abort_reason(run: Run) -> str | None:
    """Why it did not end by itself: in words if something went wrong, else by name."""
    if run.state is RunState.COMPLETED or not run.state.is_over:
        return None
    return redact(run.error) if run.error else run.ending or run.state


def _cost(rows: Sequence[BillingTransaction]) -> Decimal:
    return sum((row.cost_chf for row in rows), Decimal(0))


def shown(value: Any, name: str = "") -> Any:
    """A value as a trace may show it: secrets, by their name or their look, are hidden, and long texts are cut."""
    match value:
        case str():
            if SECRET_FIELD.search(name):
                return HIDDEN
            # Hidden before it is cut: half a secret does not look like one any more.
            text = redact(value[: 2 * LONGEST_TEXT])
            return text[:LONGEST_TEXT] + "…" if len(text) > LONGEST_TEXT else text
        case dict():
            return {key: shown(item, key) for key, item in value.items()}
        case list():
            return [shown(item, name) for item in value]
        case _:
            return value
