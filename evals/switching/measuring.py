"""Every conversation with the reset and without, as often as wanted. What is known is given out at once: whoever interrupts keeps
what there is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from evals.switching.asking import ask
from evals.switching.cases import Case
from evals.switching.results import Result, failed, judged
from workroom.models.ports import Model, ModelFailed


async def measure(cases: Sequence[Case], model: Model, repeat: int) -> AsyncGenerator[Result, None]:
    """ModelFailed when not even the first question is answered: the address, the key or the name is wrong."""
    first = True
    for number in range(1, repeat + 1):
        for case in cases:
            for reset in (False, True):
                try:
                    answer = await ask(case, model, reset=reset)
                except ModelFailed as failure:
                    if first:
                        raise
                    yield failed(case, model.info, number, failure.message, reset=reset)
                else:
                    yield judged(case, model.info, number, answer, reset=reset)
                first = False
