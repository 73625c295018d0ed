"""Stores the summaries that are made after an answer."""

from __future__ import annotations

from datetime import datetime

from workroom.agent.summaries import Summary
from workroom.conversations import store as conversations
from workroom.conversations import summary_store
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import ModelInfo
from workroom.runs import facts
from workroom.runs.after_run_payment import AfterRunPayment
from workroom.runs.types import Claim
from workroom.usage.service import Budgets


class DatabaseSummaryJournal(AfterRunPayment):
    """`loaded_at`: when the conversation was read. A summary counts as of then: one that was made of what a single person had
    read is not used once another reader has joined."""

    def __init__(
        self, db: Database, claim: Claim, principal: Principal, limits: Budgets, rounds: int, loaded_at: datetime
    ) -> None:
        super().__init__(db, claim, principal, limits, rounds)
        self._loaded_at = loaded_at

    async def summarised(self, summary: Summary, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        """Of a conversation that was deleted meanwhile only the bill is kept."""
        claim = self._claim
        mandate_id, conversation_id = claim.key.mandate_id, claim.conversation_id

        async def keep(uow: UnitOfWork) -> None:
            if await conversations.get(uow, mandate_id, conversation_id) is not None:
                await summary_store.add(uow, mandate_id, conversation_id, claim.user_id, summary, self._loaded_at)
                await facts.announce(uow, claim)

        await self.answered(used, keep, assumed=assumed)
