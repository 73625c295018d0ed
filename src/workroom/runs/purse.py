"""A run's money: what its model calls under way may cost, and what they cost. Every step is part of the run's own
transaction. The loop has one call under way at a time; those of tools are beside it, as many as they like."""

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
from workroom.runs import event_store, store
from workroom.runs.types import Claim
from workroom.usage import budgets
from workroom.usage.budgets import SetAside
from workroom.usage.service import Budgets
from workroom.usage.store import billing
from workroom.usage.types import BillingTransaction, Call, Outcome, Reservation, Spender

PATIENCE = 20.0  # seconds; most calls under way are settled by then
PAUSE = (0.2, 1.0)  # seconds between tries, by lot: those who wait must not all come at the same moment
LEAST_WORDS = 64  # tokens; a summary that short still says something


class Purse:
    def __init__(self, claim: Claim, who: Principal, limits: Budgets) -> None:
        self._claim = claim
        self._who = who
        self._limits = limits
        self._spender = Spender(
            claim.key.mandate_id, claim.user_id, claim.instance_id, claim.conversation_id, claim.key.run_id
        )
        self._patience = PATIENCE
        self._open: Reservation | None = None
        self._since = 0.0
        self._beside: dict[UUID, tuple[Reservation, float]] = {}

    async def reserve(
        self, uow: UnitOfWork, call: Call, input_tokens: int, output_tokens: int, *, least: int
    ) -> Reservation:
        """BudgetExceeded if not even `least` tokens of an answer can be paid. Limits are asked anew each time: they may have
        changed."""
        limits = await self._limits.limits_for(uow, self._who, self._claim.instance_id)
        capped = limits.capped(workflow=self._claim.agent.max_cost_chf)
        return await budgets.reserve(
            uow, self._spender, capped, call, input_tokens, output_tokens, least_output_tokens=least
        )

    async def when_settled(self, reserve: Callable[[], Awaitable[Reservation]]) -> Reservation:
        """Reserve; while only what others have reserved stands in the way, wait a moment for it before refusing. Outside of any
        transaction, and so long once per run: its last words must not wait as well."""
        while True:
            try:
                return await reserve()
            except SetAside:
                if self._patience <= 0:
                    raise
                pause = random.uniform(*PAUSE)  # noqa: S311 -- nothing secret
                self._patience -= pause
                await wait_for(asyncio.Event(), pause)

    def took(self, reservation: Reservation) -> None:
        """Committed: from here on it is ours to settle."""
        self._open, self._since = reservation, time.monotonic()

    def let_go(self) -> None:
        self._open = None

    def took_beside(self, reservation: Reservation) -> None:
        self._beside[reservation.id] = (reservation, time.monotonic())

    def let_go_beside(self, reservation: Reservation) -> None:
        self._beside.pop(reservation.id, None)

    async def settle_beside(
        self, uow: UnitOfWork, reservation: Reservation, used: Usage, outcome: Outcome, *, assumed: bool
    ) -> BillingTransaction:
        _, since = self._beside[reservation.id]
        return await self._settled(uow, reservation, used, outcome, _since(since), None, assumed)

    async def settle(
        self, uow: UnitOfWork, used: Usage, outcome: Outcome, message_id: UUID | None = None, *, assumed: bool = False
    ) -> BillingTransaction | None:
        if self._open is None:
            return None
        return await self._settled(uow, self._open, used, outcome, _since(self._since), message_id, assumed)

    async def settle_guess(self, uow: UnitOfWork, written: int) -> None:
        """Nobody will hear the end of the calls under way."""
        if self._open is not None:
            await self.settle(uow, self._open.guess(written), Outcome.FAILED, assumed=True)
        for held, _ in list(self._beside.values()):
            await self.settle_beside(uow, held, held.guess(), Outcome.FAILED, assumed=True)

    async def settle_lost(self, uow: UnitOfWork) -> None:
        """Calls that were under way when the process before us died: both they and what repeats them are paid."""
        for left in await budgets.left_open(uow, self._claim.key.mandate_id, self._claim.key.run_id):
            written = estimate(await event_store.written(uow, self._claim.key, left.call.attempt or 0))
            await self._settled(uow, left, left.guess(written), Outcome.LOST, 0, None, True)

    async def lost_in(self, uow: UnitOfWork, round: int) -> int:
        """How many attempts of that round nobody heard the end of."""
        return await billing.lost_attempts(uow, self._claim.key.mandate_id, self._claim.key.run_id, round)

    async def _settled(
        self,
        uow: UnitOfWork,
        held: Reservation,
        used: Usage,
        outcome: Outcome,
        duration_ms: int,
        message_id: UUID | None,
        assumed: bool,
    ) -> BillingTransaction:
        billed = await budgets.settle(
            uow, held, used, outcome=outcome, duration_ms=duration_ms, message_id=message_id, assumed=assumed
        )
        await store.add_cost(uow, self._claim.key, billed.usage, billed.cost_chf, assumed=billed.assumed)
        return billed


def _since(moment: float) -> int:
    """Milliseconds."""
    return round((time.monotonic() - moment) * 1000)
