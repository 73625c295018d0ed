"""What came of one question: a line of JSON that can be read again years later, with the answer, for another look."""

from __future__ import annotations

from datetime import datetime

from evals.switching.cases import Case
from workroom.core.clock import now
from workroom.core.wire import Wire
from workroom.models.catalogue.strategies import strategy
from workroom.models.ports import ModelInfo

PLAIN = "none"


class Result(Wire):
    """`strategy` is the model's, or none without the reset. `kept`: all markers of the new persona are there and none of the old
    one's; nothing when the model failed, and then `failure` says how."""

    date: datetime
    model: str
    strategy: str
    language: str
    case: str
    number: int
    kept: bool | None
    missing: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    answer: str = ""
    failure: str = ""


def strategy_of(model: ModelInfo, *, reset: bool) -> str:
    return strategy(model.provider, model.id).type.value if reset else PLAIN


def judged(case: Case, model: ModelInfo, number: int, answer: str, *, reset: bool) -> Result:
    missing, left = case.new.missing(answer), case.old.shown(answer)
    return _result(case, model, number, reset=reset).model_copy(
        update={
            "kept": not missing and not left,
            "missing": tuple(str(marker) for marker in missing),
            "left": tuple(str(marker) for marker in left),
            "answer": answer,
        }
    )


def failed(case: Case, model: ModelInfo, number: int, failure: str, *, reset: bool) -> Result:
    return _result(case, model, number, reset=reset).model_copy(update={"failure": failure})


def _result(case: Case, model: ModelInfo, number: int, *, reset: bool) -> Result:
    return Result(
        date=now(),
        model=f"{model.provider}/{model.id}",
        strategy=strategy_of(model, reset=reset),
        language=case.language,
        case=case.id,
        number=number,
        kept=None,
    )
