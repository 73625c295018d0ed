"""Pays for what is asked of models after an answer: titles and summaries.

The run is over by then and has no lease: each call is paid for by itself, on the account of the run. What a worker leaves behind
when it dies is settled with other reservations of runs that are over (`usage/jobs.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager

from workroom.core.actors import UserActor
from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import Attempt, ModelInfo
from workroom.runs.run_budget import LEAST_SUMMARY_TOKENS, RunBudget
from workroom.runs.types import Claim
from workroom.usage.service import Budgets
from workroom.usage.types import NO_SECTIONS, Call, Outcome, Purpose


class AfterRunPayment:
    """The `Attempts` of such calls, one after another. `rounds`: how many the run had."""

    def __init__(
        self, db: Database, claim: Claim, principal: Principal, limits: Budgets, rounds: int | None = None
    ) -> None:
        self._db = db
        self._claim = claim
        self._budget = RunBudget(claim, principal, limits)
        self._rounds = rounds
        self._attempt: Attempt | None = None

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.SUMMARY,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        call = Call(model.provider, model.id, purpose, model.price, self._rounds, sections=sections)

        async def reserve() -> Attempt:
            async with self._unit_of_work() as uow:
                reserved = await self._budget.reserve(
                    uow, call, input_tokens, output_tokens, least=LEAST_SUMMARY_TOKENS
                )
            self._budget.open_call(reserved)
            return Attempt(0, reserved.max_output_tokens)

        self._attempt = await to_its_end(reserve())
        return self._attempt

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        async with self._unit_of_work() as uow:
            await self._budget.settle(uow, used, Outcome.FAILED, assumed=assumed)
        self._budget.close_call()

    async def answered(
        self, used: Usage, keep: Callable[[UnitOfWork], Awaitable[None]], *, assumed: bool = False
    ) -> None:
        """The bill, and by `keep` what was bought, in one transaction."""
        async with self._unit_of_work() as uow:
            await self._budget.settle(uow, used, Outcome.ANSWERED, assumed=assumed)
            await keep(uow)
        self._budget.close_call()

    async def give_up(self) -> None:
        """The work is over or broken off: bill what was received of a call that is still open."""
        if self._budget.has_open_call:
            async with self._unit_of_work() as uow:
                await self._budget.settle_open_calls(uow, self._attempt.written.tokens if self._attempt else 0)
            self._budget.close_call()

    def _unit_of_work(self) -> AbstractAsyncContextManager[UnitOfWork]:
        return self._db.unit_of_work(UserActor(self._claim.key.mandate_id, self._claim.user_id))
