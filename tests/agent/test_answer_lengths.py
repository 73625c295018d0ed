"""Work of which little is expected may write little: a model that goes astray on it is ended soon, and less money is reserved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.agent.planning.bench import OPEN_A, Bench, submit
from workroom.agent.planning.model_planner import PLAN_TOKENS
from workroom.agent.testing import SCRIPTED
from workroom.evaluations.cases import read
from workroom.evaluations.evaluation_questions import ANSWER_TOKENS, request
from workroom.models.ports import ModelInfo

LARGE = replace(SCRIPTED, context_tokens=128_000, output_tokens=8_192)
SMALL = replace(SCRIPTED, context_tokens=8_192, output_tokens=8_192)
BRIEF = replace(SCRIPTED, context_tokens=128_000, output_tokens=1_000)


@pytest.mark.parametrize(("model", "tokens"), [(LARGE, PLAN_TOKENS), (SMALL, 2_048), (BRIEF, 1_000)])
async def test_a_plan_has_less_than_an_answer(model: ModelInfo, tokens: int) -> None:
    bench = Bench(submit(OPEN_A))
    bench.model.info = model
    await bench.run()
    assert bench.model.requests[0].max_output_tokens == tokens < 8_192


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize(("model", "tokens"), [(LARGE, ANSWER_TOKENS), (SMALL, 2_048), (BRIEF, 1_000)])
def test_a_question_of_an_evaluation_has_a_short_answer(model: ModelInfo, tokens: int, *, reset: bool) -> None:
    assert request(read("en")[0], model, reset=reset).max_output_tokens == tokens < 8_192
