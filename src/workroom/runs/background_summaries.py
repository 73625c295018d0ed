"""Sums up conversations that have outgrown their share of the window, after an answer and beside everything else.

Nothing waits for it. What is lost with a worker, or could not be paid, is made after the next answer.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from workroom.agent.context import has_outgrown
from workroom.agent.summarisation import Summarisation
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.core.waiting import to_its_end
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.ports import ModelInfo, Models
from workroom.models.types import Operation
from workroom.runs.stored_progress import load_progress
from workroom.runs.summary_journal import DatabaseSummaryJournal
from workroom.runs.types import Claim
from workroom.usage.service import Budgets

log = logging.getLogger(__name__)

AT_ONCE = 8  # in this process: mostly they wait for a model


class BackgroundSummaries:
    """`above`: the share of the window from which on a conversation is summed up."""

    def __init__(self, db: Database, models: Models, budgets: Budgets, above: float) -> None:
        self._db = db
        self._models = models
        self._budgets = budgets
        self.above = above
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    def begin(self, claim: Claim, principal: Principal, model: ModelInfo, last_message_id: UUID, rounds: int) -> None:
        """For a run that has ended with this message; `model` is the one that will read the conversation."""
        conversation_id = claim.conversation_id
        if model.embedded or conversation_id in self._tasks:
            return
        over = replace(claim, last_message_id=last_message_id)
        task = asyncio.create_task(self._work(over, principal, model, rounds), name=f"summaries {conversation_id}")
        self._tasks[conversation_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(conversation_id, None))

    async def idle(self) -> None:
        """Until nothing is being summed up."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def aclose(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, claim: Claim, principal: Principal, model: ModelInfo, rounds: int) -> None:
        async with self._slots:
            try:
                await self._sum_up(claim, principal, model, rounds)
            except Exception:  # the answer is given, and the next one does without the summary
                log.exception("a conversation was not summed up", extra={"conversation": str(claim.conversation_id)})

    async def _sum_up(self, claim: Claim, principal: Principal, model: ModelInfo, rounds: int) -> None:
        loaded_at = now()
        async with self._db.unit_of_work(UserActor(claim.key.mandate_id, claim.user_id)) as uow:
            progress = await load_progress(uow, claim)
        progress.summarise_above = self.above
        if not has_outgrown(progress, model.context_tokens):
            return
        models = await self._models.chain(principal, Operation.DATA_ANALYSE, instance_id=claim.instance_id)
        journal = DatabaseSummaryJournal(self._db, claim, principal, self._budgets, rounds, loaded_at)
        try:
            await Summarisation(models, journal, new_id).remember(progress)
        except BaseException:
            with suppress(DatabaseUnavailable):  # then it is settled with what other workers have left behind
                await to_its_end(journal.give_up())
            raise
