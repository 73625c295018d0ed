"""A question to the user: in their own words, or one of a few answers."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import InMemoryContext, InMemoryJournal, call, say
from workroom.core.errors import InvalidInput
from workroom.core.ids import new_id
from workroom.core.pauses import Choice, Chosen, Question
from workroom.core.run_events import RunState
from workroom.tools.question import ask_user

CONTEXT = InMemoryContext(new_id(), InMemoryJournal())


async def test_without_options_it_is_a_question() -> None:
    nothing: list[str] = []
    for options in (None, nothing):
        assert await ask_user.run(CONTEXT, question="Why?", options=options) == Question(text="Why?")


async def test_with_options_it_is_a_choice() -> None:
    choice = await ask_user.run(CONTEXT, question="Which?", options=["red", " dark\nblue "])
    assert isinstance(choice, Choice)
    assert [(option.id, option.label) for option in choice.options] == [("1", "red"), ("2", "dark blue")]


@pytest.mark.parametrize("options", [["one"], ["a", "a"], ["a", " "]])
async def test_options_that_leave_no_choice_are_refused(options: list[str]) -> None:
    with pytest.raises(InvalidInput):
        await ask_user.run(CONTEXT, question="Which?", options=options)


@pytest.mark.parametrize("given", [{"question": ""}, {"question": "?", "options": list("abcdefghijk")}])
def test_arguments_have_limits(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ask_user.read_arguments(given)


@pytest.mark.requirement("A15")
async def test_the_run_goes_on_with_what_was_chosen(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("paint it")
    asked = call("askUser", question="Which?", options=["red", "blue"])
    await bench.advance(accepted, [asked])
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.PAUSED
    await bench.runs.answer(bench.principal, accepted.run_id, asked.call_id, Chosen(choice_id="2"))
    model = await bench.advance(accepted, say("blue it is"))
    assert "The user chose: blue" in model.requests[0].messages[-1].readable
