"""Evaluations, as people see them: what one would cost, start, look, stop, delete. Those who may read models see them; those
who may change models start them, at their own expense. Asking is for a worker (`jobs.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.agent.model_calls import size_of
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.money import ZERO
from workroom.core.pages import Page, PageRequest
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.evaluations import store
from workroom.evaluations.cases import LANGUAGES, cases
from workroom.evaluations.evaluation_questions import questions, request
from workroom.evaluations.jobs import EVALUATION_JOB
from workroom.evaluations.judgement import Judged
from workroom.evaluations.types import Estimate, Evaluation, EvaluationPlan
from workroom.identity import audit
from workroom.identity.access import require
from workroom.identity.types import Action, Principal
from workroom.models.gateway import Gateway
from workroom.models.ports import ModelInfo
from workroom.models.price_list import TARGET
from workroom.models.types import Operation

MOST_REPEATS = 10
ANSWER_TOKENS = 300  # assumed per answer: the samples have fifty at most, but models say more, and some think first
MISSING = "There is no such evaluation here, or it is not yours to see."


class Evaluations:
    def __init__(self, db: Database, gateway: Gateway) -> None:
        self._db, self._gateway = db, gateway

    async def list(self, principal: Principal, request: PageRequest) -> Page[Evaluation]:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, request)

    async def get(self, principal: Principal, evaluation_id: UUID) -> Evaluation:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await _found(uow, principal, evaluation_id)

    async def answers(
        self, principal: Principal, evaluation_id: UUID, kept: bool | None, request: PageRequest
    ) -> Page[Judged]:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            await _found(uow, principal, evaluation_id)
            return await store.answers(uow, principal.mandate_id, evaluation_id, kept, request)

    async def estimate(self, principal: Principal, ref: str, languages: Sequence[str], repeats: int) -> Estimate:
        """What it would cost about; nothing is asked."""
        require(principal, Action.UPDATE, TARGET)
        _check(languages, repeats)
        return _estimate(await self._model(principal, ref), languages, repeats)

    async def start(
        self, principal: Principal, ref: str, languages: Sequence[str], repeats: int
    ) -> tuple[Evaluation, Estimate]:
        """It waits for a worker, and is paid for by the person who starts it."""
        require(principal, Action.UPDATE, TARGET)
        assert principal.user_id is not None
        _check(languages, repeats)
        model = await self._model(principal, ref)
        estimate = _estimate(model, languages, repeats)
        chosen = tuple(language for language in LANGUAGES if language in languages)
        plan = EvaluationPlan(ref, model.strategy, chosen, repeats, estimate.questions)
        evaluation_id = new_id()
        async with self._db.unit_of_work(principal.actor) as uow:
            if await store.is_under_way(uow, principal.mandate_id, ref):
                raise Conflict(f"{ref} is being evaluated already. Wait until that has ended, or stop it.")
            await store.insert(uow, principal.mandate_id, evaluation_id, plan, principal.user_id, now())
            await audit.record(uow, principal, "started", ChangeKind.EVALUATION, evaluation_id, name=ref)
            await uow.wake(EVALUATION_JOB)
            return await _found(uow, principal, evaluation_id), estimate

    async def stop(self, principal: Principal, evaluation_id: UUID) -> Evaluation:
        """What was answered is kept. Stopping what is over changes nothing."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await _found(uow, principal, evaluation_id)
            if not await store.stop(uow, principal.mandate_id, evaluation_id, now()):
                return found
            await audit.record(uow, principal, "stopped", ChangeKind.EVALUATION, evaluation_id, name=found.plan.model)
            await uow.wake(EVALUATION_JOB)  # the next may begin
            return await _found(uow, principal, evaluation_id)

    async def delete(self, principal: Principal, evaluation_id: UUID) -> None:
        """With its answers; one that is under way ends. What it cost stays in the ledger."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await _found(uow, principal, evaluation_id, lock=True)
            await store.delete(uow, principal.mandate_id, evaluation_id)
            await audit.record(uow, principal, "removed", ChangeKind.EVALUATION, evaluation_id, name=found.plan.model)
            await uow.wake(EVALUATION_JOB)

    async def _model(self, principal: Principal, ref: str) -> ModelInfo:
        """NotFound or Forbidden when it is not there, or not for them."""
        [model, *_] = await self._gateway.chain(principal, Operation.AGENT, ref)
        return model.info


def _check(languages: Sequence[str], repeats: int) -> None:
    if not languages or not set(languages) <= set(LANGUAGES):
        raise InvalidInput(f"Choose among the languages {', '.join(LANGUAGES)}.", field="languages")
    if not 1 <= repeats <= MOST_REPEATS:
        raise InvalidInput(f"Each question is asked 1 to {MOST_REPEATS} times.", field="repeats")


def _estimate(model: ModelInfo, languages: Sequence[str], repeats: int) -> Estimate:
    once = [
        model.price.of(Usage(size_of(request(question.case, model, reset=question.reset)), ANSWER_TOKENS))
        for question in questions(cases(sorted(set(languages))), 1)
    ]
    return Estimate(len(once) * repeats, sum(once, ZERO) * repeats, model.price.assumed)


async def _found(uow: UnitOfWork, principal: Principal, evaluation_id: UUID, *, lock: bool = False) -> Evaluation:
    found = await store.get(uow, principal.mandate_id, evaluation_id, lock=lock)
    if found is None:
        raise NotFound(MISSING)
    return found
