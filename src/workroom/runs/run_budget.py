"""The budget of a run: reserves what its model calls may cost before they begin, and settles what they did cost. Every step is
part of the run's own transaction. The loop has one call under way at a time; tools have as many beside it as they like."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from uuid import UUID

from workroom.core.tokens import Usage, estimate
from workroom.core.waiting import wait_for
from workroom.db import UnitOfWork
from workroom.identity.types import Principal
from workroom.runs import event_store
from workroom.runs.types import Claim
from workroom.usage import budgets
from workroom.usage.budgets import ReservedBudget
from workroom.usage.service import Budgets
from workroom.usage.store import billing
from workroom.usage.types import BillingTransaction, Call, Outcome, Reservation, Spender

PATIENCE = 20.0  # seconds; most calls under way are settled by then
PAUSE = (0.2, 1.0)  # seconds between tries, by lot: runs that wait must not all try at the same moment
LEAST_SUMMARY_TOKENS = 64  # a summary that short still says something


class RunBudget:
    def __init__(self, claim: Claim, principal: Principal, limits: Budgets) -> None:
        self._claim = claim
        self._principal = principal
        self._limits = limits
        self._spender = Spender(
            claim.key.mandate_id, claim.user_id, claim.instance_id, claim.conversation_id, claim.key.run_id
        )
        self._patience = PATIENCE
        self._call: Reservation | None = None
        self._began = 0.0
        self._tool_calls: dict[UUID, tuple[Reservation, float]] = {}

    async def reserve(
        self, uow: UnitOfWork, call: Call, input_tokens: int, output_tokens: int, *, least: int
    ) -> Reservation:
        """BudgetExceeded if not even `least` tokens of an answer can be paid. Limits are read each time: they may have
        changed."""
        limits = await self._limits.limits_for(uow, self._principal, self._claim.instance_id)
        capped = limits.capped(workflow=self._claim.agent.max_cost_chf)
        return await budgets.reserve(
            uow, self._spender, capped, call, input_tokens, output_tokens, least_output_tokens=least
        )

    async def reserve_patiently(
        self, reserve: Callable[[], Awaitable[Reservation]], on_wait: Callable[[], None] = lambda: None
    ) -> Reservation:
        """Reserve; while only reservations of others stand in the way, wait a while for them before refusing, and tell `on_wait`
        of it once. Outside of any transaction, and so long once per run: its summary must not wait as well."""
        told = False
        while True:
            try:
                return await reserve()
            except ReservedBudget:
                if self._patience <= 0:
                    raise
                if not told:
                    on_wait()
                    told = True
                pause = random.uniform(*PAUSE)  # noqa: S311 -- nothing secret
                self._patience -= pause
                await wait_for(asyncio.Event(), pause)

    def open_call(self, reservation: Reservation) -> None:
        """Its reservation is committed: from here on it is ours to settle."""
        self._call, self._began = reservation, time.monotonic()

    @property
    def has_open_call(self) -> bool:
        return self._call is not None

    def close_call(self) -> None:
        self._call = None

    def open_tool_call(self, reservation: Reservation) -> None:
        """The same for a call that a tool makes."""
        self._tool_calls[reservation.id] = (reservation, time.monotonic())

    def close_tool_call(self, reservation: Reservation) -> None:
        self._tool_calls.pop(reservation.id, None)

    async def settle(
        self, uow: UnitOfWork, used: Usage, outcome: Outcome, message_id: UUID | None = None, *, assumed: bool = False
    ) -> BillingTransaction | None:
        """The call of the loop, if one is under way."""
        if self._call is None:
            return None
        duration_ms = _milliseconds_since(self._began)
        return await budgets.settle(
            uow, self._call, used, outcome=outcome, duration_ms=duration_ms, message_id=message_id, assumed=assumed
        )

    async def settle_tool_call(
        self, uow: UnitOfWork, reservation: Reservation, used: Usage, outcome: Outcome, *, assumed: bool
    ) -> BillingTransaction:
        _, began = self._tool_calls[reservation.id]
        duration_ms = _milliseconds_since(began)
        return await budgets.settle(uow, reservation, used, outcome=outcome, duration_ms=duration_ms, assumed=assumed)

    async def settle_open_calls(self, uow: UnitOfWork, written: int) -> None:
        """Calls that are being broken off, by estimate: `written` tokens were received of the loop's."""
        if self._call is not None:
            await self.settle(uow, self._call.guess(written), Outcome.FAILED, assumed=True)
        for reservation, _ in list(self._tool_calls.values()):
            await self.settle_tool_call(uow, reservation, reservation.guess(), Outcome.FAILED, assumed=True)

    async def settle_lost_calls(self, uow: UnitOfWork) -> None:
        """Calls that were under way when the worker before us died: both they and what repeats them are paid."""
        for left in await budgets.left_open(uow, self._claim.key.mandate_id, self._claim.key.run_id):
            written = estimate(await event_store.streamed_text(uow, self._claim.key, left.call.attempt or 0))
            used = left.guess(written)
            await budgets.settle(uow, left, used, outcome=Outcome.LOST, duration_ms=0, assumed=True)

    async def lost_attempts(self, uow: UnitOfWork, round: int) -> int:
        """How many attempts of that round died with their worker."""
        return await billing.lost_attempts(uow, self._claim.key.mandate_id, self._claim.key.run_id, round)


def _milliseconds_since(moment: float) -> int:
    return round((time.monotonic() - moment) * 1000)
