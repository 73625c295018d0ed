"""An embedding model that is paid for: every request is reserved before it goes out and settled after it, like an answer.

Who caused it pays: their budget and the organisation's stop it with BudgetExceeded. A refusal costs nothing; an
answer of which nothing is usable, and a request that was given up half-way, are billed by guess.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from workroom.core.money import ZERO
from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.embeddings.batches import batches, expected_tokens
from workroom.models.embeddings.ports import Embedder, EmbedderInfo, Embeddings, Vector
from workroom.models.ports import ModelFailed
from workroom.usage import budgets
from workroom.usage.service import Budgets
from workroom.usage.types import BillingTransaction, Call, Outcome, Purpose, Reservation, Spender


class MeteredEmbedder:
    def __init__(
        self, embedder: Embedder, db: Database, limits: Budgets, principal: Principal, spender: Spender
    ) -> None:
        self._embedder = embedder
        self._db = db
        self._limits = limits
        self._principal = principal
        self._spender = spender

    @property
    def info(self) -> EmbedderInfo:
        return self._embedder.info

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        """What is done and paid for before a later request fails stays in the ledger."""
        vectors: list[Vector] = []
        used, assumed, cost = Usage(), False, ZERO
        for batch in batches(texts, self.info):
            got = await self._paid(batch, query=query)
            vectors += got.vectors
            used, assumed, cost = used + got.usage, assumed or got.assumed, cost + got.cost
        return Embeddings(vectors, used, assumed, cost)

    async def _paid(self, texts: Sequence[str], *, query: bool) -> Embeddings:
        expected = expected_tokens(texts, self.info)
        if not expected:
            return await self._embedder.embed(texts, query=query)  # nothing but blanks: no request
        reservation = await self._reserved(expected)
        began = time.monotonic()
        try:
            got = await self._embedder.embed(texts, query=query)
        except ModelFailed as failure:
            assumed = failure.used != Usage()
            await to_its_end(self._settled(reservation, failure.used, Outcome.FAILED, began, assumed=assumed))
            raise
        except BaseException:
            await to_its_end(self._settled(reservation, reservation.guess(), Outcome.LOST, began, assumed=True))
            raise
        billed = await to_its_end(self._settled(reservation, got.usage, Outcome.ANSWERED, began, assumed=got.assumed))
        return replace(got, assumed=billed.assumed, cost=billed.cost_chf)

    async def _reserved(self, expected: int) -> Reservation:
        call = Call(self.info.provider, self.info.id, Purpose.EMBEDDING, self.info.price)
        async with self._db.unit_of_work(self._principal.actor) as uow:
            limits = await self._limits.limits_for(uow, self._principal, self._spender.instance_id)
            return await budgets.reserve(uow, self._spender, limits, call, expected, 0)

    async def _settled(
        self, reservation: Reservation, used: Usage, outcome: Outcome, began: float, *, assumed: bool = False
    ) -> BillingTransaction:
        spent = int((time.monotonic() - began) * 1000)
        async with self._db.unit_of_work(self._principal.payer) as uow:
            return await budgets.settle(uow, reservation, used, outcome=outcome, duration_ms=spent, assumed=assumed)
