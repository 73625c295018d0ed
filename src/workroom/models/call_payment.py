"""Pays for questions to a model that belong to no run: reserved before each try and settled after it, like every call. The
budgets of the person for whom it is asked, and the organisation's, stop it with BudgetExceeded."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal

from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import Attempt, ModelInfo, ModelResponse
from workroom.usage import budgets
from workroom.usage.service import Budgets
from workroom.usage.types import (
    LEAST_OUTPUT_TOKENS,
    NO_SECTIONS,
    BillingTransaction,
    Call,
    Outcome,
    Purpose,
    Reservation,
    Spender,
)

log = logging.getLogger(__name__)

Spent = Callable[[UnitOfWork, Decimal], Awaitable[None]]


class CallPayment:
    """The `Attempts` of one question, for `ModelCalls`; to be closed when it is over. `spent` is told, in the transaction of
    the bill, what was paid for tries of which nothing is stored; `least_output_tokens`: an answer with less room is not paid."""

    def __init__(
        self,
        db: Database,
        limits: Budgets,
        principal: Principal,
        spender: Spender,
        spent: Spent,
        least_output_tokens: int = LEAST_OUTPUT_TOKENS,
    ) -> None:
        self._db, self._limits, self._principal = db, limits, principal
        self._spender, self._spent, self._least = spender, spent, least_output_tokens
        self._open: Reservation | None = None
        self._attempt: Attempt | None = None
        self._heard: ModelResponse | None = None
        self._since = 0.0
        self._tries = 0

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.ROUND,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        call = Call(model.provider, model.id, purpose, model.price, sections=sections)
        reserved = await to_its_end(self._reserve(call, input_tokens, output_tokens))
        self._tries += 1
        self._attempt = Attempt(self._tries, reserved.max_output_tokens)
        return self._attempt

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        await self._settle_alone(used, Outcome.FAILED, assumed=assumed)

    async def pay(self, uow: UnitOfWork, response: ModelResponse) -> Decimal:
        """In the transaction that stores the answer; `mark_committed` when it is committed."""
        self._heard = response
        billed = await self._settle(uow, response.used, Outcome.ANSWERED, assumed=response.assumed)
        return billed.cost_chf

    def mark_committed(self) -> None:
        self._open = None

    async def close(self) -> None:
        """An answer that is not wanted any more is paid; an interrupted try was probably used."""
        if self._open is None:
            return
        written = self._attempt.written.tokens if self._attempt else 0
        used, outcome, assumed = self._open.guess(written), Outcome.LOST, True
        if self._heard is not None:
            used, outcome, assumed = self._heard.used, Outcome.ANSWERED, self._heard.assumed
        try:
            await to_its_end(self._settle_alone(used, outcome, assumed=assumed))
        except (Conflict, DatabaseUnavailable):
            log.warning("a question could not be billed; what was reserved for it is settled later")

    async def _reserve(self, call: Call, input_tokens: int, output_tokens: int) -> Reservation:
        async with self._db.unit_of_work(self._principal.actor) as uow:
            limits = await self._limits.limits_for(uow, self._principal, self._spender.instance_id)
            reserved = await budgets.reserve(
                uow, self._spender, limits, call, input_tokens, output_tokens, least_output_tokens=self._least
            )
        self._open, self._since = reserved, time.monotonic()
        return reserved

    async def _settle_alone(self, used: Usage, outcome: Outcome, *, assumed: bool) -> None:
        async with self._db.unit_of_work(self._principal.payer) as uow:
            billed = await self._settle(uow, used, outcome, assumed=assumed)
            if billed.cost_chf:
                await self._spent(uow, billed.cost_chf)
        self._open = None

    async def _settle(self, uow: UnitOfWork, used: Usage, outcome: Outcome, *, assumed: bool) -> BillingTransaction:
        assert self._open is not None
        spent = int((time.monotonic() - self._since) * 1000)
        return await budgets.settle(uow, self._open, used, outcome=outcome, duration_ms=spent, assumed=assumed)
