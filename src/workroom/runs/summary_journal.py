"""Stores the summaries that are made after an answer. The run is over by then and has no lease: each call is paid for by itself,
on the account of the run; what a worker leaves behind when it dies is settled with other reservations of runs that are over."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import datetime

from workroom.agent.ports import Attempt
from workroom.agent.summaries import Summary
from workroom.conversations import store as conversations
from workroom.conversations import summary_store
from workroom.core.actors import UserActor
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.models.ports import ModelInfo
from workroom.runs import facts
from workroom.runs.run_budget import LEAST_SUMMARY_TOKENS, RunBudget
from workroom.runs.types import Claim
from workroom.usage.types import Call, Outcome, Purpose


class DatabaseSummaryJournal:
    """`loaded_at`: when the conversation was read. A summary counts as of then: one that was made of what a single person had
    read is not used once another reader has joined."""

    def __init__(self, db: Database, claim: Claim, budget: RunBudget, rounds: int, loaded_at: datetime) -> None:
        self._db = db
        self._claim = claim
        self._budget = budget
        self._rounds = rounds
        self._loaded_at = loaded_at
        self._attempt: Attempt | None = None

    async def attempt_began(
        self, model: ModelInfo, input_tokens: int, output_tokens: int, purpose: Purpose = Purpose.SUMMARY
    ) -> Attempt:
        call = Call(model.provider, model.id, purpose, model.price, self._rounds)
        async with self._unit_of_work() as uow:
            reservation = await self._budget.reserve(uow, call, input_tokens, output_tokens, least=LEAST_SUMMARY_TOKENS)
        self._budget.open_call(reservation)
        self._attempt = Attempt(0, reservation.max_output_tokens)
        return self._attempt

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        async with self._unit_of_work() as uow:
            await self._budget.settle(uow, used, Outcome.FAILED, assumed=assumed)
        self._budget.close_call()

    async def summarised(self, summary: Summary, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        """Of a conversation that was deleted meanwhile only the bill is kept."""
        claim = self._claim
        mandate_id, conversation_id = claim.key.mandate_id, claim.conversation_id
        async with self._unit_of_work() as uow:
            await self._budget.settle(uow, used, Outcome.ANSWERED, assumed=assumed)
            if await conversations.get(uow, mandate_id, conversation_id) is not None:
                await summary_store.add(uow, mandate_id, conversation_id, claim.user_id, summary, self._loaded_at)
                await facts.announce(uow, claim)
        self._budget.close_call()

    async def give_up(self) -> None:
        """The work is broken off: bill what was received."""
        async with self._unit_of_work() as uow:
            await self._budget.settle_open_calls(uow, self._attempt.written.tokens if self._attempt else 0)
        self._budget.close_call()

    def _unit_of_work(self) -> AbstractAsyncContextManager[UnitOfWork]:
        return self._db.unit_of_work(UserActor(self._claim.key.mandate_id, self._claim.user_id))
