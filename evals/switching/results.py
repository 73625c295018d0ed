"""What came of one question: a line of JSON that can be read again years later, with the answer, for another look."""

from __future__ import annotations

from datetime import datetime

from workroom.core.clock import now
from workroom.core.wire import Wire
from workroom.evaluations.judgement import Judged
from workroom.models.ports import ModelInfo

PLAIN = "none"


class Result(Wire):
    """`strategy` is the model's, or none without the reset. `kept` is nothing when the model failed, and then `failure` says
    how."""

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

    @classmethod
    def of(cls, judged: Judged, model: ModelInfo) -> Result:
        return cls(
            date=now(),
            model=f"{model.provider}/{model.id}",
            strategy=model.strategy.type.value if judged.with_reset else PLAIN,
            language=judged.language,
            case=judged.case_id,
            number=judged.number,
            kept=judged.kept,
            missing=judged.missing,
            left=judged.left,
            answer=judged.answer,
            failure=judged.failed or "",
        )
