"""Memory on a real database: made once, paid for, used by later runs, and not by branches that never heard of it."""

from __future__ import annotations

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.summaries import SUMMED_UP
from workroom.agent.testing import ScriptedModel, say
from workroom.runs.service import Input


@pytest.mark.requirement("D3")
async def test_a_long_conversation_is_remembered_by_its_summary_on_every_branch_that_has_it(world: World) -> None:
    bench = RunBench(world)
    first = await bench.ask("question 1")
    await bench.advance(first, say("answer 1"))
    asked = [first]
    for n in (2, 3):
        asked.append(await bench.ask(f"question {n}", conversation_id=first.conversation_id))
        await bench.advance(asked[-1], say(f"answer {n}"))
    fourth = await bench.ask("question 4", conversation_id=first.conversation_id)
    model = ScriptedModel(say("they spoke of two questions"), say("answer 4"))  # the same model sums up and answers
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(fourth))
    shown = model.requests[1].messages
    assert shown[0].text.startswith(f"{SUMMED_UP}\n\nthey spoke of two questions")
    assert [m.text for m in shown[1:]] == ["answer 3", "question 4"]
    assert await bench.sql("select count(*) from billing where purpose = 'summary'") == 1
    assert await bench.sql("select rounds from runs where run_id = $1", fourth.run_id) == 1, "a summary is no round"

    again = await bench.runs.retry(bench.principal, bench.lab, first.conversation_id)
    model = await bench.advance(again, say("another answer 4"))
    assert model.requests[0].messages[0].text.startswith(SUMMED_UP), "made once"

    edited = Input("question 2, differently", first.conversation_id, replaces=asked[1].message_id)
    other = await bench.runs.input(bench.principal, bench.lab, edited)
    model = await bench.advance(other, say("answer 2 b"))
    assert [m.text for m in model.requests[0].messages] == ["question 1", "answer 1", "question 2, differently"]
