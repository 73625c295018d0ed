"""Plans on fakes: one model call, then the steps; choices, crashes, bad plans."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.agent.planning.bench import FOUND, MADE, OPEN_A, Bench, items, submit
from workroom.agent.planning import wording
from workroom.agent.planning.intents import QUESTION, Intent, Way
from workroom.agent.planning.model_planner import LONGEST_TEXT
from workroom.agent.ports import LeaseLost, Paused
from workroom.agent.testing import InMemoryJournal, ScriptedModel, call, say
from workroom.core.messages import PlanPart, Role
from workroom.core.money import Price
from workroom.core.pauses import Choice, Confirmation, Confirmed
from workroom.core.plans import PlannedCall
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.run_events import RunState
from workroom.models.embedded.language import language_of
from workroom.models.ports import Forcing, ModelFailed, ModelInfo

WRITE = {"intent": "write_down", "toolCalls": [{"tool": "write", "arguments": {"text": "x"}}]}


@pytest.mark.requirement("E1", "E2")
async def test_one_plan_is_asked_for_stored_and_carried_out() -> None:
    bench = Bench(submit(OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    assert len(bench.model.requests) == 1
    assert MADE == [("find", {"query": "a"}), ("open", {"id": "a", "near": None})]
    [step] = bench.steps
    assert (step.index, step.intent, step.status, step.message) == (0, "open_thing", ResultStatus.OK, "Opened a.")
    assert [action.payload for action in step.actions] == [{"id": "a"}]
    first = bench.progress.messages[1]
    assert isinstance(first.parts[0], PlanPart)
    assert first.plan is not None
    assert first.plan.request_id == "request-1"
    assert {step.result.status for step in first.plan.steps} == {"pending"}
    roles = [message.role for message in bench.progress.messages]
    assert roles == [Role.USER, *[Role.ASSISTANT, Role.TOOL] * 2, Role.ASSISTANT]
    assert bench.progress.messages[-1].text == "Opened a."
    assert bench.progress.rounds == 1


@pytest.mark.requirement("D1", "E1")
async def test_the_planner_is_told_every_intent_and_tool_sorted_with_parameters() -> None:
    bench = Bench(submit(OPEN_A))
    await bench.run()
    [request] = bench.model.requests
    assert request.forcing is Forcing.ANY
    assert [tool.name for tool in request.tools] == ["submitPlan"]
    told = request.system[request.system.index("## Planning") :]
    places = [told.index(f"\n- {name}: ") for name in ("find", "open", "send", "write")]
    assert places == sorted(places)
    assert '"query": {"type": "string"}' in told
    assert "- open_thing (find, open): Open something." in told


@pytest.mark.requirement("E4", "E5", "A15")
async def test_several_things_found_are_a_choice_and_the_plan_goes_on_with_it() -> None:
    bench = Bench(submit(OPEN_A))
    FOUND["a"] = items("a1", "a2")
    with pytest.raises(Paused):
        await bench.run()
    [pause] = bench.journal.pauses.values()
    assert isinstance(pause, Choice)
    assert [(option.id, option.label, option.confidence) for option in pause.options] == [
        ("a1", "thing a1", 0.5),
        ("a2", "thing a2", 0.5),
    ]
    assert [option.actions[0].payload for option in pause.options] == [{"id": "a1"}, {"id": "a2"}]
    assert MADE == [("find", {"query": "a"})]
    assert bench.steps == []
    bench.choose("a2")
    assert await bench.run() is RunState.COMPLETED
    assert MADE[1:] == [("open", {"id": "a2", "near": None})]  # nothing was looked for again
    assert [step.message for step in bench.steps] == ["Opened a2."]
    assert len(bench.model.requests) == 1


@pytest.mark.requirement("E1", "E5")
@pytest.mark.parametrize("lose_at", range(12))
async def test_a_crash_at_any_step_changes_nothing_of_the_answer(lose_at: int) -> None:
    """Whoever goes on does the next thing: the plan is not asked for again once it is stored, and no step is told twice."""
    plan = submit(OPEN_A, WRITE)
    bench = Bench(plan, plan, journal=InMemoryJournal(lose_at=lose_at))
    try:
        await bench.run()
    except LeaseLost:
        bench.journal.lose_at = None
        bench.goes_on()
        assert await bench.run() is RunState.COMPLETED
    assert [step.message for step in bench.steps] == ["Opened a.", "wrote x"]
    assert bench.progress.messages[-1].text == "Opened a.\n\nwrote x"
    assert len([message for message in bench.progress.messages if message.plan]) == 1


@pytest.mark.requirement("E4")
async def test_what_came_to_nothing_is_said_and_steps_that_do_not_need_it_go_on() -> None:
    other = {"intent": "open_thing", "toolCalls": [{"tool": "open", "arguments": {"id": "b"}}]}
    needs = {
        "intent": "open_thing",
        "toolCalls": [
            {"tool": "open", "arguments": {"id": {"$from": {"step": 0, "call": 0, "pointer": "/items/0/id"}}}}
        ],
    }
    bench = Bench(submit(OPEN_A, other, needs, WRITE))
    FOUND["a"] = ToolResult(message="nothing here")
    assert await bench.run() is RunState.COMPLETED
    assert [step.status.value for step in bench.steps] == ["needs_clarification", "ok", "error", "error"]
    assert bench.steps[0].message == "nothing here"
    assert "depends" in bench.steps[2].message
    assert "not done" in bench.steps[3].message  # a write after something that failed
    assert [name for name, _ in MADE] == ["find", "open"]


@pytest.mark.requirement("E4")
async def test_a_failure_is_an_error_and_orders_nothing() -> None:
    step = {"intent": "open_thing", "toolCalls": [{"tool": "open", "arguments": {"id": "gone"}}]}
    bench = Bench(submit(step))
    assert await bench.run() is RunState.COMPLETED
    assert [(one.status, one.message, one.actions) for one in bench.steps] == [(ResultStatus.ERROR, "It is gone.", [])]


@pytest.mark.requirement("E1")
async def test_a_step_may_be_words_alone() -> None:
    answer = {"intent": "question", "toolCalls": [], "result": {"status": "ok", "message": "Blue."}}
    asks = {"intent": "question", "toolCalls": [], "result": {"status": "needs_clarification", "message": "Which one?"}}
    bench = Bench(submit(answer, asks))
    assert await bench.run() is RunState.COMPLETED
    assert [step.status.value for step in bench.steps] == ["ok", "needs_clarification"]
    assert bench.progress.messages[-1].text == "Blue.\n\nWhich one?"
    assert len(bench.progress.messages) == 2


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"intent": "fly", "toolCalls": []}, "no intent 'fly'"),
        ({"intent": "open_thing", "toolCalls": [{"tool": "rocket", "arguments": {}}]}, "find, open"),
        ({"intent": "open_thing", "toolCalls": [{"tool": "write", "arguments": {"text": "x"}}]}, "find, open"),
        ({"intent": "open_thing", "toolCalls": [{"tool": "find", "arguments": {}}]}, "it needs query"),
        ({"intent": "open_thing", "toolCalls": [{"tool": "find", "arguments": {"query": "a", "n": 1}}]}, "no n"),
        ({"intent": "open_thing", "toolCalls": [{"tool": "find", "arguments": {"query": 5}}]}, "valid string"),
        (
            {"intent": "open_thing", "toolCalls": [{"tool": "open", "arguments": {"id": {"$selection": "/id"}}}]},
            "first of its step",
        ),
        (
            {
                "intent": "open_thing",
                "toolCalls": [
                    {"tool": "open", "arguments": {"id": {"$from": {"call": 1, "pointer": "/items/0/id"}}}},
                    {"tool": "open", "arguments": {"id": {"$from": {"call": 0, "pointer": "/items/0/id"}}}},
                ],
            },
            "earlier ones",
        ),
        (
            {"intent": "open_thing", "toolCalls": [{"tool": "open", "arguments": {"id": {"$from": "x"}}}]},
            "$from is such as",
        ),
        ({"intent": "question", "toolCalls": []}, "a result with a message"),
        ({"intent": "open_thing"}, "a result with a message"),
    ],
)
async def test_a_plan_that_cannot_be_carried_out_is_mended_once(bad: dict[str, Any], told: str) -> None:
    bench = Bench(submit(bad), submit(OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    assert told in bench.model.requests[1].system
    assert [step.message for step in bench.steps] == ["Opened a."]
    assert len(bench.journal.bills) == 2  # both were paid for


async def test_a_plan_that_is_bad_twice_asks_back_and_does_nothing() -> None:
    bad = {"intent": "fly", "toolCalls": []}
    bench = Bench(submit(bad), submit(bad), say("never asked"))
    assert await bench.run() is RunState.COMPLETED
    assert len(bench.model.requests) == 2
    assert [step.status.value for step in bench.steps] == ["needs_clarification"]
    assert MADE == []


# What the agent's own phrases say about `open a`, in the words of the bench.
KNOWS_HOW = Intent(
    name="open_thing",
    tools=["find", "open"],
    shows="opened",
    ways=[
        Way(
            phrases={language: ["open {query}"] for language in ("de", "en", "fr", "pt", "zh")},
            calls=[PlannedCall.model_validate(call) for call in OPEN_A["toolCalls"]],
        )
    ],
)


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("language", ["de", "en", "fr", "pt", "zh"])
@pytest.mark.parametrize("useless", [say("Sure, I would open it!"), submit({"intent": "fly", "toolCalls": []})])
async def test_when_a_model_sends_no_plan_twice_the_rules_plan_and_the_answer_says_so(
    useless: Any, language: str
) -> None:
    bench = Bench(useless, useless, say("never asked"), intents=(KNOWS_HOW, QUESTION), language=language)
    assert await bench.run() is RunState.COMPLETED
    assert len(bench.model.requests) == 2
    assert len(bench.journal.bills) == 2  # both were paid for
    assert MADE == [("find", {"query": "a"}), ("open", {"id": "a", "near": None})]
    spoken = language_of(["open a"], language, {}).code
    assert bench.progress.messages[-1].text == f"Opened a. {wording.say('plannedByRules', spoken)}"
    assert [step.message for step in bench.steps] == [bench.progress.messages[-1].text]


async def test_a_mended_plan_is_the_models_own() -> None:
    bench = Bench(say("Sure!"), submit(OPEN_A), intents=(KNOWS_HOW, QUESTION))
    await bench.run()
    assert "written in words" in bench.model.requests[1].system
    assert [step.message for step in bench.steps] == ["Opened a."]


@pytest.mark.parametrize(
    "said",
    [
        [call("submitPlan")],
        [call("submitPlan", steps=[])],
        [call("submitPlan", steps="x")],
        [call("submitPlan", steps=[OPEN_A] * 13)],
        [call("somethingElse", query="a")],
        say('{"steps": [1, 2]}'),
    ],
)
async def test_nonsense_instead_of_a_plan_is_mended_once(said: Any) -> None:
    bench = Bench(said, submit(OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    assert [step.message for step in bench.steps] == ["Opened a."]


async def test_words_instead_of_a_plan_are_the_answer_and_json_in_words_is_a_plan() -> None:
    bench = Bench(say("It is blue."))
    await bench.run()
    assert bench.progress.messages[-1].text.strip() == "It is blue."
    written = (
        'Here you are:\n```json\n{"steps": [{"intent": "open_thing", "toolCalls": '
        '[{"tool": "open", "arguments": {"id": "z"}}]}]}\n```'
    )
    bench = Bench(say(written))
    await bench.run()
    assert bench.progress.messages[-1].text == "Opened z."


async def test_without_money_the_plan_ends_in_words() -> None:
    dear = ModelInfo("scripted", "dear", Price(Decimal(1000), Decimal(1000), Decimal(1000)))
    bench = Bench(journal=InMemoryJournal(money=Decimal("0.0001")))
    bench.models = [ScriptedModel(submit(OPEN_A), info=dear)]
    assert await bench.run() is RunState.BUDGET
    assert bench.progress.messages[-1].text
    assert MADE == []


async def test_a_model_that_fails_leaves_planning_to_the_rules_if_they_are_there() -> None:
    embedded = ModelInfo("embedded", "default", Price(Decimal(0), Decimal(0), Decimal(0)), embedded=True)
    bench = Bench(ModelFailed("no", again=False))
    bench.models.append(ScriptedModel(info=embedded))
    assert await bench.run() is RunState.COMPLETED
    assert [step.status.value for step in bench.steps] == ["needs_clarification"]
    alone = Bench(ModelFailed("no", again=False))
    with pytest.raises(ModelFailed):
        await alone.run()


@pytest.mark.requirement("E1")
async def test_a_plan_waits_for_confirmations_like_every_run() -> None:
    send = {"intent": "send_it", "toolCalls": [{"tool": "send", "arguments": {"to": "them"}}]}
    bench = Bench(submit(OPEN_A, send))
    FOUND["a"] = ToolResult(items=[{"id": "a", "label": "a"}], untrusted=True)
    with pytest.raises(Paused):
        await bench.run()
    [(waiting, pause)] = bench.journal.pauses.items()
    assert isinstance(pause, Confirmation)
    bench.journal.replies[waiting] = Confirmed(accepted=False)
    bench.goes_on()
    assert await bench.run() is RunState.COMPLETED
    assert bench.steps[1].status is ResultStatus.ERROR
    assert "not done" in bench.steps[1].message
    assert bench.journal.started == []


async def test_an_agent_without_intents_can_plan_whatever_its_tools_do() -> None:
    step = {"intent": "do", "toolCalls": [{"tool": "look", "arguments": {"at": "it"}}]}
    bench = Bench(submit(step), intents=())
    assert await bench.run() is RunState.COMPLETED
    assert [one.message for one in bench.steps] == ["saw it"]


async def test_many_braces_are_no_plan() -> None:
    bench = Bench(say("{" * (2 * LONGEST_TEXT)))
    assert await bench.run() is RunState.COMPLETED
    assert bench.steps[0].status is ResultStatus.OK  # words, however odd


async def test_the_same_wish_three_times_is_done_three_times() -> None:
    bench = Bench(submit(OPEN_A, OPEN_A, OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    assert [step.status for step in bench.steps] == [ResultStatus.OK] * 3
