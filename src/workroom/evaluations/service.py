"""Evaluations, as people see them: what one would cost, start, look, stop, delete. Whoever may read models sees them; whoever
may change models has them done, at their own expense. Asking is for a worker (`jobs.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.agent.asking import size_of
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.money import ZERO
from workroom.core.pages import Page, PageRequest
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.evaluations import store
from workroom.evaluations.asking import questions, request
from workroom.evaluations.cases import LANGUAGES, cases
from workroom.evaluations.jobs import EVALUATION_JOB
from workroom.evaluations.judging import Judged
from workroom.evaluations.types import Estimate, Evaluation, Plan
from workroom.identity import audit
from workroom.identity.access import require
from workroom.identity.types import Action, Principal
from workroom.models.gateway import Gateway
from workroom.models.ports import ModelInfo
from workroom.models.pricing import TARGET
from workroom.models.types import Operation

MOST_REPEATS = 10
ANSWER_TOKENS = 300  # assumed per answer: the samples have fifty at most, but models say more, and some think first
MISSING = "There is no such evaluation here, or it is not yours to see."


class Evaluations:
    def __init__(self, db: Database, gateway: Gateway) -> None:
        self._db, self._gateway = db, gateway

    async def list(self, who: Principal, wanted: PageRequest) -> Page[Evaluation]:
        require(who, Action.READ, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            return await store.listed(uow, who.mandate_id, wanted)

    async def get(self, who: Principal, evaluation_id: UUID) -> Evaluation:
        require(who, Action.READ, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            return await _found(uow, who, evaluation_id)

    async def answers(
        self, who: Principal, evaluation_id: UUID, kept: bool | None, wanted: PageRequest
    ) -> Page[Judged]:
        require(who, Action.READ, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            await _found(uow, who, evaluation_id)
            return await store.answers(uow, who.mandate_id, evaluation_id, kept, wanted)

    async def estimate(self, who: Principal, ref: str, languages: Sequence[str], repeats: int) -> Estimate:
        """What it would cost about; nothing is asked."""
        require(who, Action.UPDATE, TARGET)
        _check(languages, repeats)
        return _estimate(await self._model(who, ref), languages, repeats)

    async def start(
        self, who: Principal, ref: str, languages: Sequence[str], repeats: int
    ) -> tuple[Evaluation, Estimate]:
        """It waits for a worker, and is paid for by whoever starts it."""
        require(who, Action.UPDATE, TARGET)
        assert who.user_id is not None
        _check(languages, repeats)
        model = await self._model(who, ref)
        estimate = _estimate(model, languages, repeats)
        chosen = tuple(language for language in LANGUAGES if language in languages)
        plan = Plan(ref, model.strategy, chosen, repeats, estimate.questions)
        evaluation_id = new_id()
        async with self._db.unit_of_work(who.actor) as uow:
            if await store.is_under_way(uow, who.mandate_id, ref):
                raise Conflict(f"{ref} is being evaluated already. Wait until that has ended, or stop it.")
            await store.insert(uow, who.mandate_id, evaluation_id, plan, who.user_id, now())
            await audit.record(uow, who, "started", ChangeKind.EVALUATION, evaluation_id, name=ref)
            await uow.wake(EVALUATION_JOB)
            return await _found(uow, who, evaluation_id), estimate

    async def stop(self, who: Principal, evaluation_id: UUID) -> Evaluation:
        """What was answered is kept. Stopping what is over changes nothing."""
        require(who, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            found = await _found(uow, who, evaluation_id)
            if not await store.stop(uow, who.mandate_id, evaluation_id, now()):
                return found
            await audit.record(uow, who, "stopped", ChangeKind.EVALUATION, evaluation_id, name=found.plan.model)
            await uow.wake(EVALUATION_JOB)  # the next may begin
            return await _found(uow, who, evaluation_id)

    async def delete(self, who: Principal, evaluation_id: UUID) -> None:
        """With its answers; one that is under way ends. What it cost stays in the ledger."""
        require(who, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            found = await _found(uow, who, evaluation_id, lock=True)
            await store.delete(uow, who.mandate_id, evaluation_id)
            await audit.record(uow, who, "removed", ChangeKind.EVALUATION, evaluation_id, name=found.plan.model)
            await uow.wake(EVALUATION_JOB)

    async def _model(self, who: Principal, ref: str) -> ModelInfo:
        """NotFound or Forbidden when it is not there, or not for them."""
        [model, *_] = await self._gateway.chain(who, Operation.AGENT, ref)
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


async def _found(uow: UnitOfWork, who: Principal, evaluation_id: UUID, *, lock: bool = False) -> Evaluation:
    found = await store.get(uow, who.mandate_id, evaluation_id, lock=lock)
    if found is None:
        raise NotFound(MISSING)
    return found
