"""Values of evaluations: what was asked for, how far it is, and what it would cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from workroom.evaluations.rates import Rates
from workroom.models.catalogue.strategies import SwitchStrategy


class EvaluationState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by hand, or by a budget; what was answered counts
    ERROR = "error"

    @property
    def is_over(self) -> bool:
        return self not in (EvaluationState.QUEUED, EvaluationState.RUNNING)


@dataclass(frozen=True)
class EvaluationPlan:
    """What is to be asked, of whom. `strategy` is how the product resets this model: as it was at the start for every question,
    whatever becomes of the catalogue meanwhile, because rates of two strategies would be the rates of neither."""

    model: str
    strategy: SwitchStrategy
    languages: tuple[str, ...]
    repeats: int
    questions: int


@dataclass(frozen=True)
class Estimate:
    """`assumed`: the price of the model is not known exactly."""

    questions: int
    cost_chf: Decimal
    assumed: bool


@dataclass(frozen=True)
class Evaluation:
    """`answered` of `plan.questions` have been put, those that failed among them. `asked_by` None: they are gone."""

    id: UUID
    plan: EvaluationPlan
    state: EvaluationState
    asked_by: UUID | None
    asked_by_name: str | None
    created_at: datetime
    finished_at: datetime | None
    cost_chf: Decimal
    error_code: str | None
    error: str | None
    answered: int
    rates: Rates


@dataclass(frozen=True)
class EvaluationTask:
    """An evaluation that is ours to carry out, for as long as its epoch is `epoch`. `setbacks` counts how often it was begun
    since the last answer."""

    mandate_id: UUID
    evaluation_id: UUID
    asked_by: UUID | None
    plan: EvaluationPlan
    epoch: int
    setbacks: int

    @property
    def owner_id(self) -> UUID:
        """Whose turn it takes; of a person who is gone, the mandate's."""
        return self.asked_by or self.mandate_id
