"""A reranking model that is paid for: reserved before it is asked and settled after it, like an answer."""

from __future__ import annotations

import time
from collections.abc import Sequence

from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.ports import ModelFailed
from workroom.models.reranking.ports import Ranking, Reranker, RerankerInfo
from workroom.models.reranking.remote import expected_tokens
from workroom.usage import budgets
from workroom.usage.service import Budgets
from workroom.usage.types import Call, Outcome, Purpose, Reservation, Spender


class MeteredReranker:
    def __init__(
        self, reranker: Reranker, db: Database, limits: Budgets, principal: Principal, spender: Spender
    ) -> None:
        self._reranker, self._db, self._limits = reranker, db, limits
        self._principal, self._spender = principal, spender

    @property
    def info(self) -> RerankerInfo:
        return self._reranker.info

    async def rerank(self, query: str, texts: Sequence[str]) -> Ranking:
        """Raises BudgetExceeded as well. A refusal costs nothing; a useless answer and what was given up half-way are billed
        by guess."""
        call = Call(self.info.provider, self.info.id, Purpose.RERANK, self.info.price)
        async with self._db.unit_of_work(self._principal.actor) as uow:
            limits = await self._limits.limits_for(uow, self._principal, self._spender.instance_id)
            reserved = await budgets.reserve(uow, self._spender, limits, call, expected_tokens(query, texts), 0)
        began = time.monotonic()
        try:
            got = await self._reranker.rerank(query, texts)
        except ModelFailed as failure:
            assumed = failure.used != Usage()
            await to_its_end(self._settled(reserved, failure.used, Outcome.FAILED, began, assumed=assumed))
            raise
        except BaseException:
            await to_its_end(self._settled(reserved, reserved.guess(), Outcome.LOST, began, assumed=True))
            raise
        await to_its_end(self._settled(reserved, got.usage, Outcome.ANSWERED, began, assumed=got.assumed))
        return got

    async def _settled(
        self, reserved: Reservation, used: Usage, outcome: Outcome, began: float, *, assumed: bool = False
    ) -> None:
        spent = int((time.monotonic() - began) * 1000)
        async with self._db.unit_of_work(self._principal.payer) as uow:
            await budgets.settle(uow, reserved, used, outcome=outcome, duration_ms=spent, assumed=assumed)
