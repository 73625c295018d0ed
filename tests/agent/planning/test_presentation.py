"""The action planner as properties: severity, exactly one, order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent.planning.bench import INTENTS, PRESENTERS, TOOLS, items
from workroom.agent.planning.presentation import PLAIN, choice, refused
from workroom.agent.planning.progress import PlanProgress
from workroom.agent.planning.references import resolved
from workroom.core.pauses import Choice
from workroom.core.plans import SEVERITY, Plan, PlannedCall, PlannedStep, overall
from workroom.core.results import ResultStatus, ToolResult

PRESENTER = PRESENTERS["opened"]
ITEM = st.fixed_dictionaries({"id": st.text(min_size=1, max_size=5), "label": st.text(max_size=5)})
RESULT = st.builds(
    lambda status, items: ToolResult(status=status, items=items, message="m"),
    st.sampled_from(list(ResultStatus)),
    st.lists(ITEM, max_size=4),
)


@pytest.mark.requirement("E4")
@given(st.lists(st.sampled_from(list(ResultStatus)), max_size=8))
def test_the_whole_is_as_bad_as_its_worst_step(statuses: list[ResultStatus]) -> None:
    found = overall(statuses)
    assert all(SEVERITY.index(found) >= SEVERITY.index(status) for status in statuses)
    assert found in statuses or not statuses
    assert [status.value for status in SEVERITY] == ["ok", "needs_user_choice", "needs_clarification", "error"]


@pytest.mark.requirement("E4")
@given(RESULT)
def test_exactly_one_of_going_on_asking_which_and_ending(result: ToolResult) -> None:
    asked, ended = choice(PRESENTER, result, "en"), refused(result, PRESENTER, "en")
    goes_on = result.status is ResultStatus.OK and len(result.items) == 1
    assert goes_on is (asked is None and ended is None)
    if asked is not None:
        assert len(asked.options) == len(result.items)
        assert result.status in (ResultStatus.OK, ResultStatus.NEEDS_USER_CHOICE)
    elif ended is not None:
        worst = result.status is ResultStatus.ERROR
        assert ended[0] is (ResultStatus.ERROR if worst else ResultStatus.NEEDS_CLARIFICATION)


@given(RESULT)
def test_what_is_shown_plainly_needs_no_items(result: ToolResult) -> None:
    if result.status is ResultStatus.OK:
        assert choice(PLAIN, result, "en") is None
        assert refused(result, PLAIN, "en") is None


@pytest.mark.requirement("E3", "E4")
@given(st.lists(st.lists(RESULT, min_size=1, max_size=2), min_size=1, max_size=4))
def test_steps_end_in_their_order_and_only_good_ones_order_anything(found: list[list[ToolResult]]) -> None:
    steps = [
        PlannedStep(intent="open_thing", tool_calls=[PlannedCall(tool="find", arguments={"query": "x"})] * len(results))
        for results in found
    ]
    following = PlanProgress(Plan(request_id="r", steps=steps), INTENTS, PRESENTERS, TOOLS, "en")
    given_: list[ToolResult] = []
    for results in found:
        for result in results:
            assert following.standing(given_).next is not None
            given_.append(result)
            if refused(result, PRESENTER, "en") is not None:
                break
    standing = following.standing(given_)
    assert standing.next is None
    assert [step.index for step in standing.done] == list(range(len(found)))
    for step, results in zip(standing.done, found, strict=True):
        good = all(refused(result, PRESENTER, "en") is None for result in results)
        assert (step.status is ResultStatus.OK) is good
        assert bool(step.actions) is good


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4), lambda x: st.lists(x) | st.dictionaries(st.text(max_size=4), x)
    )
)
def test_arguments_that_point_nowhere_are_taken_as_they_are(value: Any) -> None:
    assert resolved(value, 0, 0, {}) == value


def test_options_can_be_told_apart_and_named() -> None:
    for names in (("same", "same"), ("x" * 300, "y"), ("", "z")):
        found = choice(PRESENTERS["opened"], items(*names), "en")
        assert isinstance(found, Choice)
        assert [option.id for option in found.options] == ["1", "2"]
