"""The loop's journal on the database: each step of a run is stored, with the events that tell of it and what it cost, in one
transaction under the run's lease."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar
from uuid import UUID

from workroom.agent.entities.types import Entity
from workroom.agent.ports import Ending
from workroom.agent.tool import Tool
from workroom.conversations import store as conversations
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Forbidden
from workroom.core.messages import CallPart, MaterialPart, Message
from workroom.core.pauses import Pause
from workroom.core.results import ToolResult
from workroom.core.run_events import MessageStored, RunEvent, RunState, StatusChanged
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import Attempt, ModelInfo, Models
from workroom.runs import call_results, call_store, facts, store
from workroom.runs.errors import AnswerLost
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.fenced_store import append_events, begin_ending, count_attempt, pause_run, record_answer
from workroom.runs.paid_requests import PaidRequests
from workroom.runs.ports import TransactionStep
from workroom.runs.run_budget import LEAST_SUMMARY_TOKENS, RunBudget
from workroom.runs.run_messages import RunMessages
from workroom.runs.run_writer import FencedWrite, RunWriter, no_effect
from workroom.runs.step_events import events_for_cost, events_for_pause, events_for_plan, events_for_result
from workroom.runs.tool_context import DatabaseContext
from workroom.runs.tool_model_calls import ToolModelCalls
from workroom.runs.types import Claim
from workroom.usage.service import Budgets
from workroom.usage.types import (
    LIKELY_OUTPUT_TOKENS,
    NO_SECTIONS,
    BillingTransaction,
    Call,
    Outcome,
    Purpose,
    Reservation,
)

T = TypeVar("T")
MOST_LOST = 5  # model calls of one round that ended with their worker
NOT_ALLOWED = "You may not use agents here any more."


class DatabaseJournal:
    def __init__(
        self,
        db: Database,
        claim: Claim,
        buffer: EventBuffer,
        principal: Principal,
        budgets: Budgets,
        services: Mapping[type, object],
        models: Models,
        ask_rights: Callable[[], Awaitable[Principal | None]],
    ) -> None:
        self._db = db
        self._claim = claim
        self._buffer = buffer
        self._writer = RunWriter(db, claim, buffer)
        self.messages = RunMessages(claim)
        self.handed_to: UUID | None = None  # the agent that goes on with the question
        self._ending = claim.ending is not None
        self._round = claim.rounds + 1
        self._budget = RunBudget(claim, principal, budgets)
        self._attempt: Attempt | None = None  # the last one
        self.principal = principal
        self.services = services
        self.tools: Mapping[str, Tool] = {}  # that the agent may use
        self.tool_model_calls = ToolModelCalls(models, self, self._budget, claim, buffer.emit)
        self.paid_requests = PaidRequests(self, self._budget)
        self._ask_rights = ask_rights

    @property
    def rounds(self) -> int:
        """Answered so far; what tools do belongs to the last of them."""
        return self._round - 1

    async def flush(self) -> None:
        """Store the events that have been emitted."""
        await self._writer.flush()

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.ROUND,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        self._buffer.forget_partial()
        number = self._buffer.attempt + 1
        call = Call(model.provider, model.id, purpose, model.price, self._round, number, sections)

        async def reserve(least: int) -> Reservation:
            async def effect(uow: UnitOfWork) -> Reservation:
                await self.messages.require_same_readers(uow)
                return await self._budget.reserve(uow, call, input_tokens, output_tokens, least=least)

            return await self.write(effect, count_attempt)

        try:
            reservation = await self._budget.reserve_patiently(
                lambda: reserve(LIKELY_OUTPUT_TOKENS), self._waits_for_budget
            )
        except BudgetExceeded:
            reservation = await self._budget.reserve_patiently(lambda: reserve(LEAST_SUMMARY_TOKENS))
        self._budget.open_call(reservation)
        self._buffer.attempt = number
        self._attempt = Attempt(number, reservation.max_output_tokens)
        return self._attempt

    def _waits_for_budget(self) -> None:
        self._buffer.emit(StatusChanged(state=RunState.RUNNING, activity="budget"))

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        await self.write(
            lambda uow: self._budget.settle(uow, used, Outcome.FAILED, assumed=assumed), events=events_for_cost
        )
        self._budget.close_call()

    async def ending(self, ending: Ending) -> None:
        await self.write(no_effect, partial(begin_ending, ending=ending))
        self._ending = True

    async def answered(self, message: Message, model: ModelInfo | None, used: Usage, *, assumed: bool = False) -> None:
        async def effect(uow: UnitOfWork) -> list[RunEvent]:
            switched = await self.messages.add(uow, message)
            await call_store.add(uow, self._claim.key, message.id, message.calls)
            billed = await self._budget.settle(uow, used, Outcome.ANSWERED, message.id, assumed=assumed)
            return [*switched, *events_for_plan(message), stored, *events_for_cost(billed)]

        counts = model is not None and not self._ending
        stored = MessageStored(message_id=message.id, role=message.role, text=message.text)
        await self.write(
            effect,
            partial(
                record_answer,
                message_id=message.id,
                rounds=1 if counts else 0,
                tool_calls=len(message.calls),
                model=_name_of(model),
            ),
            events=lambda events: events,
        )
        self._budget.close_call()
        self._round += 1 if counts else 0
        self._buffer.forget_partial()

    async def noted(
        self, entities_by_call: Mapping[UUID, Sequence[Entity]], model: ModelInfo, used: Usage, *, assumed: bool = False
    ) -> None:
        async def effect(uow: UnitOfWork) -> BillingTransaction | None:
            for call_id, entities in entities_by_call.items():
                await facts.note(uow, self._claim, call_id, entities)
            await call_store.set_read_for_facts(uow, self._claim.key, list(entities_by_call))
            return await self._budget.settle(uow, used, Outcome.ANSWERED, assumed=assumed)

        await self.write(effect, events=events_for_cost)
        self._budget.close_call()

    async def known(self) -> Sequence[Entity]:
        async with self._db.unit_of_work(UserActor(self._claim.key.mandate_id, self._claim.user_id)) as uow:
            return await facts.known(uow, self._claim)

    async def settle_lost(self) -> None:
        """Bill the model calls that died with the worker that had the run before. AnswerLost when that has happened too often
        in this round."""

        async def effect(uow: UnitOfWork) -> int:
            await self._budget.settle_lost_calls(uow)
            return await self._budget.lost_attempts(uow, self._round)

        if await self.write(effect) >= MOST_LOST:
            raise AnswerLost

    async def settle_what_is_open(self, uow: UnitOfWork) -> None:
        """The run ends in the middle of model calls: bill what was received of them."""
        await self._budget.settle_open_calls(uow, self._attempt.written.tokens if self._attempt else 0)

    async def materials_read(self, message: Message, materials: Sequence[MaterialPart]) -> Message:
        """Store them with the question, or with the answer whose calls they come after, where a session that continues or repeats
        the run finds them; returns the message with them."""
        complete = self.messages.with_materials(message, materials)
        mandate_id = self._claim.key.mandate_id
        await self.write(lambda uow: conversations.add_parts(uow, mandate_id, message.id, complete.materials))
        return complete

    async def rights_asked(self) -> None:
        principal = await self._ask_rights()
        if principal is None:
            raise Forbidden(NOT_ALLOWED)
        self.principal = principal

    async def settle_if_deleted(self) -> None:
        """When the run was deleted with its conversation: bill what its last call has used all the same."""
        claim = self._claim
        async with self._db.unit_of_work(UserActor(claim.key.mandate_id, claim.user_id)) as uow:
            if await store.get(uow, claim.key) is None:
                await self.settle_what_is_open(uow)

    async def call_started(self, call: CallPart) -> None:
        await self.write(lambda uow: call_store.start(uow, self._claim.key, call.call_id))

    async def call_paused(self, call: CallPart, pause: Pause) -> None:
        """The question and the state; from here on no worker has the run."""
        asked = await asyncio.to_thread(events_for_pause, call, pause)  # comparing two long texts takes a moment
        await self.write(
            lambda uow: call_store.pause(uow, self._claim.key, call.call_id, pause, now()),
            pause_run,
            events=lambda _: [*asked, StatusChanged(state=RunState.PAUSED)],
        )

    async def call_finished(self, call: CallPart, result: ToolResult, duration_ms: int) -> None:
        entities = await facts.entities_in(self._claim, result)
        await self.write(
            lambda uow: call_results.finish(uow, self._claim, call.call_id, result, duration_ms, entities),
            events=lambda _: events_for_result(call, result, duration_ms),
        )

    def context(self, call: CallPart, tool: Tool, follows_untrusted: bool) -> DatabaseContext:
        return DatabaseContext(call, self, self._claim, follows_untrusted, tool.untrusted)

    async def write(
        self,
        effect: TransactionStep[T],
        record: FencedWrite = append_events,
        *,
        events: Callable[[T], list[RunEvent]] | None = None,
    ) -> T:
        return await self._writer.write(effect, record, events=events)


def _name_of(model: ModelInfo | None) -> str | None:
    """By which a run says it was answered. The embedded default is no model, and its id says nothing to people."""
    return None if model is None else "" if model.embedded else model.id
