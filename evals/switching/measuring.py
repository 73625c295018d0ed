"""Every question, as often as wanted. What is known is given out at once: whoever interrupts keeps what there is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from workroom.agent.testing import InMemoryJournal
from workroom.evaluations.cases import Case
from workroom.evaluations.evaluation_questions import ask, questions
from workroom.evaluations.judgement import Judged, failed, judged
from workroom.models.ports import Model, ModelFailed


async def measure(cases: Sequence[Case], model: Model, repeat: int) -> AsyncGenerator[Judged, None]:
    """ModelFailed when not even the first question is answered: the address, the key or the name is wrong."""
    first = True
    for question in questions(cases, repeat):
        try:
            heard = await ask(question, model, InMemoryJournal())
        except ModelFailed as failure:
            if first:
                raise
            yield failed(question, failure.message)
        else:
            yield judged(question, heard.text)
        first = False
