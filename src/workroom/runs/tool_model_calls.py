"""Model calls that tools of a run make. Each is paid for by itself, so that several may be under way at once; they belong to
the run all the same: its budgets stop them, its lease fences them, and what dies with a worker is found and settled.

Their answers are not streamed; only that a model is tried again, or another one asked, is told.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import Emit, LeaseLost
from workroom.core.errors import DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.core.run_events import RunEvent, StatusChanged
from workroom.core.tokens import Usage
from workroom.core.waiting import to_its_end
from workroom.db import UnitOfWork
from workroom.models.ports import Attempt, Compose, Model, ModelInfo, ModelResponse, Models, NoModel
from workroom.models.types import Operation
from workroom.runs.ports import Writing
from workroom.runs.run_budget import RunBudget
from workroom.runs.step_events import events_for_cost
from workroom.runs.types import Claim
from workroom.usage.types import NO_SECTIONS, BillingTransaction, Call, Outcome, Purpose, Reservation

NO_MODEL = "This needs a language model, and none is set up for you here. One is added in Settings → Models."
NO_VISION_MODEL = (
    "This needs a model that can look at pictures, and none is set up for you here. One is added in Settings → Models."
)


class ToolModelCalls:
    def __init__(self, models: Models, journal: Writing, budget: RunBudget, claim: Claim, emit: Emit) -> None:
        self._models, self._journal, self._budget, self._claim = models, journal, budget, claim
        self.emit = emit

    async def models(self, operation: Operation) -> Sequence[Model]:
        """Those that can do it; the embedded default, which understands nothing, never."""
        chain = await self._models.chain(self._journal.principal, operation, instance_id=self._claim.instance_id)
        vision = operation is Operation.VISION
        return [model for model in chain if not model.info.embedded and (model.info.images or not vision)]

    async def ask(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        models = await self.models(operation)
        if not models:
            raise NoModel(NO_VISION_MODEL if operation is Operation.VISION else NO_MODEL)
        attempts = PaidAttempts(self._journal, self._budget)
        try:
            response = await ModelCalls(models, attempts, self._emit_status, purpose).ask(compose, new_id())
        except BaseException:
            await to_its_end(attempts.give_up())
            raise
        await to_its_end(attempts.answered(response))
        return response

    def _emit_status(self, event: RunEvent) -> None:
        if isinstance(event, StatusChanged):
            self.emit(event)


class PaidAttempts:
    """The attempts of one call, one after another. Each is paid whole or not made: half an answer would be kept."""

    def __init__(self, journal: Writing, budget: RunBudget) -> None:
        self._journal, self._budget = journal, budget
        self._reservation: Reservation | None = None
        self._attempt: Attempt | None = None

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.ROUND,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        call = Call(model.provider, model.id, purpose, model.price, self._journal.rounds, sections=sections)

        async def effect(uow: UnitOfWork) -> Reservation:
            return await self._budget.reserve(uow, call, input_tokens, output_tokens, least=output_tokens)

        async def reserve() -> Reservation:
            self._reservation = await self._journal.write(effect)
            self._budget.open_tool_call(self._reservation)
            return self._reservation

        reservation = await self._budget.reserve_patiently(lambda: to_its_end(reserve()))
        self._attempt = Attempt(0, reservation.max_output_tokens)
        return self._attempt

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        await self._settle(used, Outcome.FAILED, assumed=assumed)

    async def answered(self, response: ModelResponse) -> None:
        await self._settle(response.used, Outcome.ANSWERED, assumed=response.assumed)

    async def give_up(self) -> None:
        """The tool was interrupted. When another worker has the run, or the database is away, the next session of the run finds
        the reservation and settles it."""
        if self._reservation is not None:
            with contextlib.suppress(LeaseLost, DatabaseUnavailable):
                written = self._attempt.written.tokens if self._attempt else 0
                await self._settle(self._reservation.guess(written), Outcome.FAILED, assumed=True)

    async def _settle(self, used: Usage, outcome: Outcome, *, assumed: bool) -> None:
        reservation = self._reservation
        assert reservation is not None

        async def effect(uow: UnitOfWork) -> BillingTransaction:
            return await self._budget.settle_tool_call(uow, reservation, used, outcome, assumed=assumed)

        await self._journal.write(effect, events=events_for_cost)
        self._budget.close_tool_call(reservation)
        self._reservation = None
