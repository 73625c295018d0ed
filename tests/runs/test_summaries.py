"""Memory on a real database: made after the answer, paid for, used by later runs, and not by branches that never heard of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runs.bench import PRICED, RunBench, Waiting, budget
from tests.world import World
from workroom.agent.summaries import READ_CONVERSATION, SUMMED_UP
from workroom.agent.testing import ScriptedModel, call, say
from workroom.core.messages import ResultPart
from workroom.models.ports import ModelFailed
from workroom.runs.service import Accepted, Input
from workroom.runs.testing import FixedModels


@pytest.fixture
def bench(world: World) -> RunBench:
    """Summaries as the document has them, from the fourth round on."""
    made = RunBench(world)
    made.summarise_above = 0
    return made


async def talk(bench: RunBench, rounds: int, *after: Any) -> list[Accepted]:
    """That many questions, each answered; `after` is what the model says after the last answer."""
    asked: list[Accepted] = []
    for n in range(1, rounds + 1):
        more = {"conversation_id": asked[0].conversation_id} if asked else {}
        asked.append(await bench.ask(f"question {n}", **more))
        await bench.advance(asked[-1], say(f"answer {n}"), *(after if n == rounds else ()))
    return asked


async def summaries(bench: RunBench) -> list[str]:
    return [row["text"] for row in await bench.rows("select text from summaries order by created_at")]


@pytest.mark.requirement("D3", "C4")
async def test_a_long_conversation_is_remembered_by_its_summary_on_every_branch_that_has_it(bench: RunBench) -> None:
    asked = await talk(bench, 3, say("they spoke of two questions"))
    first, *_, third = asked
    assert await summaries(bench) == ["they spoke of two questions"]
    assert await bench.sql("select count(*) from billing where purpose = 'summary'") == 1
    assert await bench.sql("select count(*) from reservations") == 0
    assert await bench.sql("select rounds from runs where run_id = $1", third.run_id) == 1, "a summary is no round"
    told = [event.event.type for event in await bench.events(third.run_id)]
    assert told[-1] == "complete", "nothing is told after the end"

    fourth = await bench.ask("question 4", conversation_id=first.conversation_id)
    model = await bench.advance(fourth, say("answer 4"))
    shown = model.requests[0].messages
    assert shown[0].text.startswith(f"{SUMMED_UP}\n\nthey spoke of two questions")
    assert [m.text for m in shown[1:]] == ["answer 3", "question 4"]

    again = await bench.runs.retry(bench.principal, bench.lab, first.conversation_id)
    model = await bench.advance(again, say("another answer 4"))
    assert model.requests[0].messages[0].text.startswith(SUMMED_UP), "made once"

    edited = Input("question 2, differently", first.conversation_id, replaces=asked[1].message_id)
    other = await bench.runs.input(bench.principal, bench.lab, edited)
    model = await bench.advance(other, say("answer 2 b"))
    assert [m.text for m in model.requests[0].messages] == ["question 1", "answer 1", "question 2, differently"]


@pytest.mark.requirement("D3")
async def test_what_fits_its_share_of_the_window_is_never_summed_up(world: World) -> None:
    bench = RunBench(world)
    first, *_ = await talk(bench, 5)
    model = await bench.advance(await bench.ask("six", conversation_id=first.conversation_id), say("answer 6"))
    assert len(model.requests) == 1
    assert [m.text for m in model.requests[0].messages][:2] == ["question 1", "answer 1"]
    assert await summaries(bench) == []


@pytest.mark.requirement("D3")
async def test_the_next_question_is_answered_while_the_summary_is_being_made(bench: RunBench) -> None:
    first, *_ = await talk(bench, 2)
    third = await bench.ask("question 3", conversation_id=first.conversation_id)
    slow = Waiting(say("the summary"))
    quick = ScriptedModel(say("answer 3"), say("answer 4"))
    async with bench.worker(quick) as runner:
        runner.summaries._models = FixedModels(slow)  # answers come from the other
        await runner.advance(bench.key(third))
        fourth = await bench.ask("question 4", conversation_id=first.conversation_id)
        await runner.advance(bench.key(fourth))
        assert await bench.sql("select state from runs where run_id = $1", fourth.run_id) == "completed"
        assert await summaries(bench) == []
        slow.let.set()
        await runner.summaries.idle()
    assert quick.requests[1].messages[0].text == "question 1", "all of it, as there is no summary yet"
    assert await summaries(bench) == ["the summary"]


@pytest.mark.requirement("D3")
async def test_a_summary_that_fails_or_dies_is_made_after_the_next_answer(bench: RunBench) -> None:
    first, *_ = await talk(bench, 3, ModelFailed("no", again=False))
    assert await summaries(bench) == []
    fourth = await bench.ask("question 4", conversation_id=first.conversation_id)
    slow = Waiting(say("never"), info=PRICED)
    async with bench.worker(ScriptedModel(say("answer 4"))) as runner:
        runner.summaries._models = FixedModels(slow)
        await runner.advance(bench.key(fourth))
        await slow.asked.wait()
        assert await bench.sql("select count(*) from reservations") == 1
        await runner.summaries.aclose()  # as a worker that stops does
    assert await bench.sql("select count(*) from reservations") == 0
    fifth = await bench.ask("question 5", conversation_id=first.conversation_id)
    await bench.advance(fifth, say("answer 5"), say("made now"))
    assert await summaries(bench) == ["made now"]


async def test_without_money_there_is_no_summary_and_the_answer_stands(bench: RunBench) -> None:
    first, *_ = await talk(bench, 2)
    await budget(bench, workflow="0.0001")
    third = await bench.ask("question 3", conversation_id=first.conversation_id)
    dear = ScriptedModel(say("a summary"), info=PRICED)
    async with bench.worker(ScriptedModel(say("answer 3"))) as runner:
        runner.summaries._models = FixedModels(dear)
        await runner.advance(bench.key(third))
    assert await bench.sql("select state from runs where run_id = $1", third.run_id) == "completed"
    assert (dear.requests, await summaries(bench)) == ([], [])


@pytest.mark.requirement("D3")
async def test_what_was_said_before_is_read_word_for_word(bench: RunBench) -> None:
    first, *_ = await talk(bench, 3, say("they spoke of two questions"))
    fourth = await bench.ask("what exactly did I ask first?", conversation_id=first.conversation_id)
    model = await bench.advance(fourth, [call(READ_CONVERSATION, query="question 1")], say("It was question 1."))
    assert READ_CONVERSATION in [tool.name for tool in model.requests[0].tools]
    (result,) = [p.result for m in model.requests[1].messages for p in m.parts if isinstance(p, ResultPart)]
    assert "\nquestion 1\n" in result.message
    assert "question 2" not in result.message
    assert "page 1 of 1" in result.message
