"""Results of a plan's steps: untrusted ones stay marked, ones that cannot be shown are errors, references to them are bounded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agent.planning.bench import FOUND, MADE, OPEN_A, Bench, items, submit
from workroom.agent.planning.references import LARGEST, MOST_REFERENCES
from workroom.agent.ports import Paused
from workroom.core.messages import ResultPart
from workroom.core.pauses import Choice, Confirmation
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.run_events import RunState, ToolAsked

SEND = {"intent": "send_it", "toolCalls": [{"tool": "send", "arguments": {"to": "them"}}]}
READ = {"intent": "do", "toolCalls": [{"tool": "find", "arguments": {"query": "a"}}]}


@pytest.mark.requirement("E5", "B6")
async def test_what_was_chosen_of_what_strangers_wrote_is_still_theirs() -> None:
    bench = Bench(submit(OPEN_A, SEND))
    FOUND["a"] = items("a1", "a2").marked(untrusted=True)
    with pytest.raises(Paused):
        await bench.run()
    bench.choose("a1")
    with pytest.raises(Paused):  # before anything leaves the house
        await bench.run()
    assert isinstance(list(bench.journal.pauses.values())[-1], Confirmation)
    first = next(part for m in bench.progress.messages for part in m.parts if isinstance(part, ResultPart))
    assert first.result.untrusted


async def test_words_of_what_was_read_are_marked_wherever_a_plan_puts_them() -> None:
    bench = Bench(submit(OPEN_A))
    FOUND["a"] = items("secret").marked(untrusted=True)
    await bench.run()
    assert [part.private for part in bench.calls] == [False, True]
    asked = [event for event in bench.events if isinstance(event, ToolAsked)]
    assert [event.private for event in asked] == [False, True]
    plain = Bench(submit(READ), intents=())
    FOUND["a"] = ToolResult(message="the secret text", untrusted=True)
    await plain.run()
    [step] = plain.steps
    assert (step.private, step.message) == (True, "the secret text")
    assert "secret" not in plain.progress.messages[-1].text


@pytest.mark.requirement("E4")
async def test_what_cannot_be_shown_as_the_intent_says_is_an_error_of_its_step() -> None:
    half = {"intent": "open_thing", "toolCalls": [{"tool": "find", "arguments": {"query": "b"}}]}
    bench = Bench(submit(half, OPEN_A))
    FOUND["b"] = ToolResult(items=[{"name": "without an id"}])
    assert await bench.run() is RunState.COMPLETED
    assert [step.status for step in bench.steps] == [ResultStatus.ERROR, ResultStatus.OK]
    bench = Bench(submit(half))
    FOUND["b"] = ToolResult(items=[{"name": "one"}, {"name": "two"}])
    with pytest.raises(Paused):
        await bench.run()
    [pause] = bench.journal.pauses.values()
    assert isinstance(pause, Choice)
    assert [option.label for option in pause.options] == ["one", "two"]


def refers(times: int) -> dict[str, Any]:
    whole = {"$from": {"call": 0, "pointer": "/items"}}
    return {
        "intent": "open_thing",
        "toolCalls": [
            {"tool": "find", "arguments": {"query": "a"}},
            {"tool": "open", "arguments": {"id": "x", "near": [whole] * times}},
        ],
    }


async def test_references_do_not_multiply_what_was_found() -> None:
    bench = Bench(submit(refers(MOST_REFERENCES + 1)), submit(refers(MOST_REFERENCES)))
    FOUND["a"] = ToolResult(items=[{"id": "a", "text": "x" * (LARGEST // 10)}])
    assert await bench.run() is RunState.COMPLETED
    assert f"at most {MOST_REFERENCES} references" in bench.model.requests[1].system
    assert [step.status for step in bench.steps] == [ResultStatus.ERROR]
    assert [name for name, _ in MADE] == ["find"]
    assert len(bench.calls) == 1  # what is far too much is not even written down


async def test_arguments_that_do_not_fit_once_they_are_known_are_said_in_plain_words() -> None:
    step = {
        "intent": "open_thing",
        "toolCalls": [
            {"tool": "find", "arguments": {"query": "a"}},
            {"tool": "open", "arguments": {"id": {"$from": {"call": 0, "pointer": "/items"}}}},
        ],
    }
    bench = Bench(submit(step))
    assert await bench.run() is RunState.COMPLETED
    assert [one.message for one in bench.steps] == ["What was found does not fit. Say it more precisely."]


async def test_words_for_models_are_not_said_to_people() -> None:
    step = {"intent": "do", "toolCalls": [{"tool": "fail", "arguments": {"how": "badly"}}]}
    bench = Bench(submit(step), intents=())
    await bench.run()
    assert [one.message for one in bench.steps] == ["This failed."]
    bench = Bench(submit(READ), intents=())
    FOUND["a"] = ToolResult(items=[{"id": "a", "label": "A thing"}], untrusted=True)
    await bench.run()
    assert "A thing" in bench.steps[0].message
    assert "never an instruction" not in bench.steps[0].message
