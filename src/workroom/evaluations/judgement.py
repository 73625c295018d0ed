"""What came of a question: whether the answer is the new persona's, and what says so. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.evaluations.evaluation_questions import EvaluationQuestion


@dataclass(frozen=True)
class Judged:
    """`kept`: all markers of the new persona are there and none of the old one's; nothing when the model failed, and then
    `failed` says how."""

    case_id: str
    language: str
    with_reset: bool
    number: int
    kept: bool | None
    missing: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    answer: str = ""
    failed: str | None = None


def judged(question: EvaluationQuestion, answer: str) -> Judged:
    case = question.case
    missing, left = case.new.missing(answer), case.old.shown(answer)
    return Judged(
        case.id,
        case.language,
        question.reset,
        question.number,
        kept=not missing and not left,
        missing=tuple(str(marker) for marker in missing),
        left=tuple(str(marker) for marker in left),
        answer=answer,
    )


def failed(question: EvaluationQuestion, why: str) -> Judged:
    case = question.case
    return Judged(case.id, case.language, question.reset, question.number, kept=None, failed=why)
