"""How well models change roles: evaluations of switching agents, with their rates and every answer."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, ListQuery, PageOf, page_of
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.evaluations.cases import LANGUAGES, found
from workroom.evaluations.judgement import Judged
from workroom.evaluations.rates import SuccessRate, with_all
from workroom.evaluations.service import MOST_REPEATS
from workroom.evaluations.types import Evaluation, EvaluationState
from workroom.models.price_list import LONGEST_REF

router = APIRouter(prefix="/api/switch-evaluations", tags=["evaluations"])


class NewEvaluation(Wire):
    """Every conversation is asked `repeats` times, with the reset and without. `dryRun`: only what that would cost."""

    model: str = Field(max_length=LONGEST_REF, pattern=r"^[^\x00]+$")
    languages: list[str] = Field(list(LANGUAGES), max_length=len(LANGUAGES))
    repeats: int = Field(3, ge=1, le=MOST_REPEATS)
    dry_run: bool = False


class RateView(Wire):
    """`kept` of `answered` answers had all markers of the new agent and none of the old; `low` and `high` bound `rate` with
    95 % confidence. `language` is `all` for all of them together."""

    language: str
    with_reset: bool
    kept: int
    answered: int
    rate: float | None
    low: float
    high: float
    missing: int
    left: int
    failed: int

    @classmethod
    def of(cls, language: str, with_reset: bool, rate: SuccessRate) -> RateView:
        low, high = rate.interval
        return cls(
            language=language,
            with_reset=with_reset,
            kept=rate.kept,
            answered=rate.answered,
            rate=rate.share,
            low=low,
            high=high,
            missing=rate.missing,
            left=rate.left,
            failed=rate.failed,
        )


class EvaluationView(Wire):
    """`answered` of `questions` have been put. `error` says why it ended early, unless it was stopped by hand."""

    id: UUID
    model: str
    strategy: str
    languages: list[str]
    repeats: int
    questions: int
    answered: int
    state: EvaluationState
    asked_by: UUID | None
    asked_by_name: str | None
    created_at: datetime
    finished_at: datetime | None
    cost_chf: CHF = Field(alias="costCHF")
    error_code: str | None
    error: str | None
    rates: list[RateView]

    @classmethod
    def of(cls, evaluation: Evaluation) -> EvaluationView:
        plan = evaluation.plan
        rates = with_all(evaluation.rates)
        return cls(
            id=evaluation.id,
            model=plan.model,
            strategy=plan.strategy.type.value,
            languages=list(plan.languages),
            repeats=plan.repeats,
            questions=plan.questions,
            answered=evaluation.answered,
            state=evaluation.state,
            asked_by=evaluation.asked_by,
            asked_by_name=evaluation.asked_by_name,
            created_at=evaluation.created_at,
            finished_at=evaluation.finished_at,
            cost_chf=evaluation.cost_chf,
            error_code=evaluation.error_code,
            error=evaluation.error,
            rates=[RateView.of(language, reset, rate) for (language, reset), rate in rates.items()],
        )


class EvaluationEstimate(Wire):
    """`evaluation` is what was started; null after a dry run. `assumed`: the price of the model is not known exactly."""

    questions: int
    cost_chf: CHF = Field(alias="costCHF")
    assumed: bool
    evaluation: EvaluationView | None


class SwitchAnswer(Wire):
    """`kept` null: the model failed, and `failed` says how. `question` and the agents' names are null when the conversation
    is not shipped any more."""

    id: str
    case_id: str
    language: str
    with_reset: bool
    number: int
    kept: bool | None
    missing: list[str]
    left: list[str]
    answer: str
    failed: str | None
    question: str | None
    old_name: str | None
    new_name: str | None

    @classmethod
    def of(cls, judged: Judged) -> SwitchAnswer:
        case = found(judged.language, judged.case_id)
        return cls(
            id=f"{judged.case_id}/{judged.number}/{'reset' if judged.with_reset else 'plain'}",
            case_id=judged.case_id,
            language=judged.language,
            with_reset=judged.with_reset,
            number=judged.number,
            kept=judged.kept,
            missing=list(judged.missing),
            left=list(judged.left),
            answer=judged.answer,
            failed=judged.failed,
            question=case.question if case else None,
            old_name=case.old.name if case else None,
            new_name=case.new.name if case else None,
        )


class AnswerQuery(ListQuery):
    """`kept` false: only answers that were not the new agent's."""

    kept: bool | None = None


@router.get("")
async def list_switch_evaluations(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[EvaluationView]:
    """How well models change roles when agents are switched: every evaluation, with its rates."""
    return page_of(await services.evaluations.list(principal, query.request()), EvaluationView.of)


@router.post("", status_code=201)
async def start_switch_evaluation(
    body: NewEvaluation, principal: CurrentPrincipal, services: AppServices, response: Response
) -> EvaluationEstimate:
    """Needs the right to change models, and to use this one; what it costs is yours. 200 after a dry run."""
    wanted = (body.model, body.languages, body.repeats)
    if body.dry_run:
        response.status_code = 200
        estimate, started = await services.evaluations.estimate(principal, *wanted), None
    else:
        evaluation, estimate = await services.evaluations.start(principal, *wanted)
        started = EvaluationView.of(evaluation)
    return EvaluationEstimate(
        questions=estimate.questions, cost_chf=estimate.cost_chf, assumed=estimate.assumed, evaluation=started
    )


@router.get("/{evaluationId}")
async def get_switch_evaluation(
    evaluationId: UUID, principal: CurrentPrincipal, services: AppServices
) -> EvaluationView:
    """How far it is, and its rates per language, with the reset and without."""
    return EvaluationView.of(await services.evaluations.get(principal, evaluationId))


@router.delete("/{evaluationId}", status_code=204)
async def delete_switch_evaluation(evaluationId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """With its answers; one that is under way ends. What it cost stays in the ledger."""
    await services.evaluations.delete(principal, evaluationId)


@router.get("/{evaluationId}/answers")
async def list_switch_answers(
    evaluationId: UUID, query: Annotated[AnswerQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[SwitchAnswer]:
    """Every answer with what was missing of the new agent and what was left of the old one."""
    return page_of(
        await services.evaluations.answers(principal, evaluationId, query.kept, query.request()), SwitchAnswer.of
    )


@router.post("/{evaluationId}/stop")
async def stop_switch_evaluation(
    evaluationId: UUID, principal: CurrentPrincipal, services: AppServices
) -> EvaluationView:
    """What was answered is kept. Stopping what is over changes nothing."""
    return EvaluationView.of(await services.evaluations.stop(principal, evaluationId))
