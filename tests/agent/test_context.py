"""What the model sees: sections in a fixed order, summaries as the table says, and never more than fits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.agent.bench import TOOLS, Bench
from workroom.agent.context import compose, visible
from workroom.agent.context_budget import LEFT_OUT, cut, size, spare
from workroom.agent.ports import AgentSpec, Progress
from workroom.agent.prompt_sections import sections
from workroom.agent.rounds import rounds_of
from workroom.agent.summaries import READ_CONVERSATION, SUMMED_UP, RoundSpan, Summary, plan, words_hint
from workroom.agent.summarisation import Summarisation
from workroom.agent.testing import SCRIPTED, InMemoryJournal, ScriptedModel, call, say
from workroom.agent.tool import ToolContext, tool
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, ResultPart, Role, TextPart
from workroom.core.money import FREE
from workroom.core.results import ToolResult
from workroom.core.tokens import estimate
from workroom.models.ports import Forcing, ModelFailed, ModelInfo

SMALL = ModelInfo("p", "small", FREE, context_tokens=4_000, output_tokens=500)


def text(role: Role, words: str) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text=words)])


def talk(rounds: int) -> list[Message]:
    """That many questions and answers."""
    return [text(role, f"{role} {n}") for n in range(1, rounds + 1) for role in (Role.USER, Role.ASSISTANT)]


@pytest.mark.requirement("D3")
@pytest.mark.parametrize(
    ("upcoming", "spans"),
    [
        (1, []), (3, []), (4, [(1, 2)]), (6, [(1, 2)]), (7, [(1, 4)]), (14, [(1, 4)]),
        (15, [(1, 10), (11, 13)]), (22, [(1, 10), (11, 13)]), (23, [(1, 18), (19, 21)]),
    ],
)  # fmt: skip
def test_when_what_is_summed_up(upcoming: int, spans: list[tuple[int, int]]) -> None:
    assert list(plan(upcoming)) == [RoundSpan(*span) for span in spans]


CHEAP = ModelInfo("p", "cheap", FREE)


@pytest.mark.requirement("D3")
async def test_fifteen_rounds_need_four_summaries_made_of_one_another() -> None:
    messages = talk(15)
    cheap = ScriptedModel(*[say(f"summary {n}") for n in "abcd"], info=CHEAP)
    journal, summaries = InMemoryJournal(), list[Summary]()
    for answered in range(1, 15):
        progress = Progress(messages[: 2 * answered], summaries=summaries)
        await Summarisation([cheap], journal, new_id).remember(progress)
    made = [(s.first, s.last, s.text) for s in journal.summaries]
    assert made == [(1, 2, "summary a"), (1, 4, "summary b"), (1, 10, "summary c"), (11, 13, "summary d")]
    sources = [request.messages[0].text for request in cheap.requests]
    assert "user 1" in sources[0]
    assert "summary a" in sources[1]
    assert "user 1" not in sources[1]
    assert "summary b" in sources[2]
    assert "summary" not in sources[3]
    asked = Progress([*messages[:28], text(Role.USER, "now")], begins=28, summaries=summaries, summarise_above=0)
    first, *rest = visible(asked, SMALL.context_tokens)
    assert first.text == f"{SUMMED_UP}\n\nsummary c\n\nsummary d\n\n{words_hint()}user 14"
    assert [m.text for m in rest] == ["assistant 14", "now"], "only round 14 is shown as it was said"
    assert [bill[0] for bill in journal.bills].count("cheap") == 4


@pytest.mark.requirement("D3")
async def test_a_summary_that_cannot_be_made_costs_nothing_but_itself() -> None:
    broken = ScriptedModel(ModelFailed("no", again=False), info=CHEAP)
    progress = Progress(talk(8))
    summarisation = Summarisation([broken], InMemoryJournal(), new_id)
    for _ in range(2):
        await summarisation.remember(progress)
    assert len(broken.requests) == 1, "not tried again and again"
    assert progress.summaries == []


def summed_up(rounds: int, words: int, **more: Any) -> Progress:
    """A conversation of that many rounds, each with so many words; the first two are summed up."""
    messages = [
        text(role, f"{role} {n} " * words) for n in range(1, rounds + 1) for role in (Role.USER, Role.ASSISTANT)
    ]
    question = text(Role.USER, "now")
    return Progress([*messages, question], 2 * rounds, summaries=[Summary(1, 2, messages[3].id, "gist")], **more)


@pytest.mark.requirement("D3")
def test_what_fits_its_share_of_the_window_is_shown_as_it_was_said() -> None:
    """Also when there are summaries: of a smaller model's day, or from when the share was another."""
    progress = summed_up(5, 2)
    assert visible(progress, SMALL.context_tokens) == progress.messages
    long = summed_up(5, 60)
    assert visible(long, SMALL.context_tokens)[0].text.startswith(f"{SUMMED_UP}\n\ngist")
    assert visible(long, 100 * SMALL.context_tokens) == long.messages, "a larger window has room for it"
    assert visible(summed_up(5, 2, summarise_above=0), SMALL.context_tokens)[0].text.startswith(SUMMED_UP)


@tool(READ_CONVERSATION, effect="read")
async def read_back(ctx: ToolContext) -> str:
    """Read what was said."""
    return ""


@pytest.mark.requirement("D3")
@pytest.mark.parametrize(
    ("progress", "offered"),
    [
        (Progress([text(Role.USER, "hello")]), False),
        (summed_up(5, 2), False),
        (summed_up(5, 60), True),
        (Progress([*talk(1), text(Role.USER, "word " * 9_000)], begins=2), True),
    ],
    ids=["new", "fits", "summed up", "one huge message"],
)
def test_reading_back_is_offered_where_something_is_not_shown_as_it_was_said(progress: Progress, offered: bool) -> None:
    made = compose(progress, AgentSpec("x"), {READ_CONVERSATION: read_back}, SMALL, forcing=Forcing.AUTO)
    assert ([one.name for one in made.tools] == [READ_CONVERSATION]) == offered
    fits = SMALL.context_tokens - (made.max_output_tokens or 0)
    assert size(made.messages) + estimate(made.system) <= fits, "whatever happens"


def test_a_summary_does_not_apply_to_another_branch() -> None:
    messages = talk(4)
    here = Summary(1, 2, messages[3].id, "here")
    elsewhere = Summary(1, 2, new_id(), "elsewhere")
    asked = [*messages, text(Role.USER, "now")]
    progress = Progress(asked, begins=8, summaries=[elsewhere], summarise_above=0)
    assert visible(progress, SMALL.context_tokens) == progress.messages
    progress.summaries.append(here)
    shown = visible(progress, SMALL.context_tokens)
    assert shown[0].text.startswith(SUMMED_UP + "\n\nhere")
    assert "user 3" in shown[0].text, "turns alternate"
    assert [m.text for m in shown[1:]] == ["assistant 3", "user 4", "assistant 4", "now"]


@pytest.mark.requirement("D1")
def test_the_prompt_is_made_of_sections_and_tools_stand_in_their_schemas_alone() -> None:
    made = sections(AgentSpec("You are a gardener.", language="pt"), TOOLS)
    assert [s.title for s in made] == [
        "",
        "Referring to things",
        "Citing",
        "When something is unclear",
        "How you answer",
    ]
    assert "Portuguese" in made[4].text
    assert not any(tool.description in section.text for section in made for tool in TOOLS.values())


@pytest.mark.requirement("D1")
async def test_the_beginning_of_the_prompt_stays_the_same_through_a_run() -> None:
    bench = Bench([call("look", at="1")], [call("look", at="2")], say("done"), max_rounds=2)
    await bench.run()
    first, second, last = bench.model.requests
    assert (first.system, first.tools) == (second.system, second.tools)
    assert second.messages[: len(first.messages)] == first.messages
    assert last.system.endswith("in the language of the conversation.")


def request_for(messages: list[Message], model: ModelInfo = SMALL, **progress: Any) -> list[Message]:
    made = compose(Progress(messages, **progress), AgentSpec("x"), {}, model, forcing=Forcing.AUTO)
    return list(made.messages)


def result(words: str) -> tuple[Message, Message]:
    asked = CallPart(call_id=new_id(), tool="look", arguments={})
    found = ResultPart(call_id=asked.call_id, tool="look", result=ToolResult(message=words))
    message = Message(id=new_id(), role=Role.ASSISTANT, parts=[asked])
    return message, Message(id=message.id, role=Role.TOOL, parts=[found])


@pytest.mark.requirement("D4")
def test_old_results_are_shortened_before_anything_is_left_out() -> None:
    old, new = result("old " * 3000), result("new " * 1000)
    messages = [text(Role.USER, "q"), *old, *result("b"), *new]
    shown = request_for(messages)
    assert len(shown) == len(messages)
    assert "shortened from" in shown[2].readable
    assert shown[-1].readable == new[1].readable


@pytest.mark.requirement("D4")
def test_then_rounds_long_ago_are_left_out_whole_and_it_is_said() -> None:
    messages = [text(Role.USER, "the question"), *[m for n in range(40) for m in result(f"{n} " * 300)]]
    shown = request_for(messages)
    assert shown[0].text.startswith("the question")
    assert LEFT_OUT in shown[0].text
    assert len(shown) < len(messages)
    calls = {c.call_id for m in shown for c in m.calls}
    answered = {p.call_id for m in shown for p in m.parts if isinstance(p, ResultPart)}
    assert calls == answered
    assert shown[-1].readable == messages[-1].readable


@pytest.mark.requirement("D4")
def test_a_prompt_larger_than_the_window_loses_its_middle() -> None:
    shown = request_for([text(Role.USER, "begin " + "x" * 400_000 + " end")])
    assert size(shown) < SMALL.context_tokens
    assert shown[0].text.startswith("begin")
    assert shown[0].text.endswith("end")
    assert "are left out here" in shown[0].text


WORDS = some.text(some.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(some.lists(some.tuples(some.integers(0, 3), WORDS, some.integers(1, 900)), min_size=1, max_size=25))
def test_whatever_is_said_it_fits(said: list[tuple[int, str, int]]) -> None:
    messages = [text(Role.USER, "first")]
    for kind, words, times in said:
        match kind:
            case 0:
                messages.append(text(Role.USER, words * times))
            case 1:
                messages.append(text(Role.ASSISTANT, words * times))
            case _:
                messages += result(words * times)
    kept = cut(spare(messages, 3_000), 3_000)
    assert size(kept) <= 3_000
    assert kept[0].text.startswith("first")
    calls = {c.call_id for m in kept for c in m.calls}
    assert calls == {p.call_id for m in kept for p in m.parts if isinstance(p, ResultPart)}


def test_rounds_end_with_answers() -> None:
    messages = [text(Role.USER, "a"), *result("r"), text(Role.ASSISTANT, "b"), text(Role.USER, "c")]
    rounds, since = rounds_of(messages)
    assert [len(r.messages) for r in rounds] == [3, 1]
    assert [m.text for m in since] == ["c"]
    assert SCRIPTED.context_tokens > SMALL.context_tokens
