"""Evaluations as leased work (db/work_scheduler.py): question after question, each answer stored with what it cost
before the next is asked. A worker that goes on with one that was interrupted puts only the questions that have no answer."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from workroom.core.actors import SystemActor, UserActor
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Conflict, DatabaseUnavailable, Forbidden, WorkroomError
from workroom.core.money import ZERO
from workroom.db import Database, UnitOfWork
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.evaluations import store
from workroom.evaluations.cases import cases
from workroom.evaluations.evaluation_questions import EvaluationQuestion, ask, questions
from workroom.evaluations.judgement import failed, judged
from workroom.evaluations.types import EvaluationState, EvaluationTask
from workroom.identity.access import decide
from workroom.identity.types import Action, Principal
from workroom.models.call_payment import CallPayment
from workroom.models.gateway import Gateway
from workroom.models.ports import Model, ModelFailed
from workroom.models.price_list import TARGET
from workroom.models.types import Operation
from workroom.usage.service import Budgets
from workroom.usage.types import Spender

log = logging.getLogger(__name__)

EVALUATION_JOB = "evaluate switching"
MOST_SETBACKS = 5
LEAST_WORDS = 1_000  # tokens; an answer cut short would be judged for what it could not say
MOST_FAILURES = 3  # in a row: then it is not the question, and the payer should know before all of them have failed
# Evaluations of as many mandates; they wait for models, not for us. When more wait they take turns, question by question.
AT_ONCE = 4
NOT_ALLOWED = "Whoever asked for this may not use this model, or not change models, any more. Start it anew."
GIVEN_UP = "This went wrong again and again. Start it anew; if it happens again, ask whoever runs the server."


class People(Protocol):
    async def as_user(self, mandate_id: UUID, user_id: UUID) -> Principal | None:
        """With the rights they have now; None for a person who is gone."""
        ...


class EvaluationGone(Exception):
    """It was stopped or deleted, or another worker has claimed it."""


class EvaluationWork:
    """For a `WorkScheduler`."""

    name = "evaluate a switch of agents"

    def __init__(self, db: Database, gateway: Gateway, people: People, limits: Budgets) -> None:
        self._db, self._gateway, self._people, self._limits = db, gateway, people, limits

    async def take(self, load: Load) -> Sequence[EvaluationTask]:
        task = await self.claim(load)
        return [] if task is None else [task]

    async def claim(self, load: Load = EMPTY_LOAD) -> EvaluationTask | None:
        worker_id = await self._db.worker_id()
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await store.claim(uow, worker_id, load)

    async def is_wanted(self, task: EvaluationTask) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await store.is_ours(uow, task)

    async def release(self, task: EvaluationTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if await store.release(uow, task):
                await uow.wake(EVALUATION_JOB)

    async def release_failed(self, task: EvaluationTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.release_failed(uow, task)

    async def work(self, task: EvaluationTask) -> None:
        """What was answered is kept, however it ends."""
        try:
            if task.setbacks > MOST_SETBACKS:
                raise WorkroomError(GIVEN_UP)
            if not await self._ask_all(task):
                await self.release(task)
                return
        except EvaluationGone:
            log.info("an evaluation was not wanted any more", extra={"evaluation": str(task.evaluation_id)})
        except (Conflict, DatabaseUnavailable):
            raise
        except BudgetExceeded as error:
            await self._finish(task, EvaluationState.STOPPED, error)
        except WorkroomError as error:
            await self._finish(task, EvaluationState.ERROR, error)
        else:
            await self._finish(task, EvaluationState.DONE)

    async def _ask_all(self, task: EvaluationTask) -> bool:
        """False: another organisation's goes first, the rest comes later. When not even the first question is answered, the
        address, the key or the name is wrong: that ends it. So do some failures in a row, those before an interruption among
        them."""
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            known = await store.asked(uow, task.mandate_id, task.evaluation_id)
            await announce(uow, task.mandate_id, task.evaluation_id)
        first, failures, asked = not known, 0, 0
        for question in questions(cases(task.plan.languages), task.plan.repeats):
            if question.key in known:
                failure = known[question.key]
            else:
                if asked and await self._does_anything_wait():
                    return False
                failure = await self._ask(task, question, first=first)
                first, asked = False, asked + 1
            failures = 0 if failure is None else failures + 1
            if failure is not None and failures == MOST_FAILURES:
                raise ModelFailed(
                    f"{failures} questions in a row had no answer, so no more were asked: {failure} What was answered before is"
                    " kept. When that is mended, start it anew.",
                    again=False,
                )
        return True

    async def _does_anything_wait(self) -> bool:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await store.does_anything_wait(uow)

    async def _ask(self, task: EvaluationTask, question: EvaluationQuestion, *, first: bool) -> str | None:
        """How the model failed; None for an answer."""
        principal, model = await self._asked(task)
        payment = self._payment(task, principal)
        try:
            heard = await ask(question, model, payment, task.plan.strategy)
            async with self._db.unit_of_work(principal.actor) as uow:
                cost = await payment.pay(uow, heard)
                if not await store.advance(uow, task, cost):
                    raise EvaluationGone
                await store.add(uow, task.mandate_id, task.evaluation_id, judged(question, heard.text), now())
                await announce(uow, task.mandate_id, task.evaluation_id)
            payment.mark_committed()
            return None
        except ModelFailed as failure:
            if first:
                raise
            await self._failed(task, question, failure)
            return failure.message
        finally:
            await payment.close()

    def _payment(self, task: EvaluationTask, principal: Principal) -> CallPayment:
        assert principal.user_id is not None
        spender = Spender(principal.mandate_id, principal.user_id, None)

        async def spent(uow: UnitOfWork, cost: Decimal) -> None:
            await store.spend(uow, task, cost)

        return CallPayment(self._db, self._limits, principal, spender, spent, LEAST_WORDS)

    async def _asked(self, task: EvaluationTask) -> tuple[Principal, Model]:
        """With the rights they have now: a role that is taken away stops it."""
        principal = None if task.asked_by is None else await self._people.as_user(task.mandate_id, task.asked_by)
        if principal is None or not decide(principal, Action.UPDATE, TARGET):
            raise Forbidden(NOT_ALLOWED)
        [model, *_] = await self._gateway.chain(principal, Operation.AGENT, task.plan.model)
        return principal, model

    async def _failed(self, task: EvaluationTask, question: EvaluationQuestion, failure: ModelFailed) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if not await store.advance(uow, task, ZERO):
                raise EvaluationGone
            await store.add(uow, task.mandate_id, task.evaluation_id, failed(question, failure.message), now())
            await announce(uow, task.mandate_id, task.evaluation_id)

    async def _finish(self, task: EvaluationTask, state: EvaluationState, error: WorkroomError | None = None) -> None:
        code, message = (error.code, error.message) if error else (None, None)
        log.info("an evaluation has ended", extra={"evaluation": str(task.evaluation_id), "state": state.value})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if await store.finish(uow, task, state, now(), code, message):
                await announce(uow, task.mandate_id, task.evaluation_id)
                await uow.wake(EVALUATION_JOB)  # the next of this mandate


async def announce(uow: UnitOfWork, mandate_id: UUID, evaluation_id: UUID) -> None:
    await uow.announce(Change(mandate_id=mandate_id, kind=ChangeKind.EVALUATION, id=evaluation_id))
