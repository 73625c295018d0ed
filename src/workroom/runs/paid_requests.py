"""Requests of tools to services that cost money and are no language models: reserved before they are sent, billed when they are
answered, within the budgets of the run. One that is refused costs nothing; one with an unknown end is billed, as assumed."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from workroom.agent.ports import LeaseLost
from workroom.core.errors import DatabaseUnavailable, WorkroomError
from workroom.core.money import FREE
from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import UnitOfWork
from workroom.runs.ports import Writing
from workroom.runs.run_budget import RunBudget
from workroom.runs.step_events import events_for_cost
from workroom.usage.types import BillingTransaction, Outcome, PaidRequest, Reservation

T = TypeVar("T")
NO_TOKENS = Usage()


class PaidRequests:
    def __init__(self, journal: Writing, budget: RunBudget) -> None:
        self._journal, self._budget = journal, budget

    async def send(self, request: PaidRequest, send: Callable[[], Awaitable[T]]) -> T:
        """Raises BudgetExceeded before anything is sent."""
        reservation = await self._budget.reserve_patiently(lambda: to_its_end(self._reserve(request)))
        try:
            answer = await send()
        except WorkroomError as failure:
            if not failure.refused:  # it may have been done all the same
                await to_its_end(self._settle(reservation, Outcome.FAILED, assumed=True))
                raise
            unpaid = replace(reservation, call=replace(reservation.call, price=FREE))
            await to_its_end(self._settle(unpaid, Outcome.FAILED))
            raise
        except BaseException:  # when another worker has the run, it finds the reservation and settles it
            with contextlib.suppress(LeaseLost, DatabaseUnavailable):
                await to_its_end(self._settle(reservation, Outcome.FAILED, assumed=True))
            raise
        await to_its_end(self._settle(reservation, Outcome.ANSWERED))
        return answer

    async def _reserve(self, request: PaidRequest) -> Reservation:
        call = request.call(self._journal.rounds)

        async def effect(uow: UnitOfWork) -> Reservation:
            return await self._budget.reserve(uow, call, 0, 0, least=0)

        reservation = await self._journal.write(effect)
        self._budget.open_tool_call(reservation)
        return reservation

    async def _settle(self, reservation: Reservation, outcome: Outcome, *, assumed: bool = False) -> None:
        async def effect(uow: UnitOfWork) -> BillingTransaction:
            return await self._budget.settle_tool_call(uow, reservation, NO_TOKENS, outcome, assumed=assumed)

        await self._journal.write(effect, events=events_for_cost)
        self._budget.close_tool_call(reservation)
