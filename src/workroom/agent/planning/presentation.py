"""From an intent and its results to what is said, done and asked. Pure functions, by name: an intent names its presenter.

Exactly one thing found is `ok`. Several are a choice, and so is what a tool says is one; nothing is a question back; a failure
is an error, and asks for no action. An intent that looks nothing up is `ok` without anything found.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from workroom.agent.planning.intents import Intent
from workroom.agent.planning.wording import say
from workroom.core.actions import UiAction
from workroom.core.pauses import Choice, Option
from workroom.core.plans import PlannedStep, StepOutcome
from workroom.core.results import ResultStatus, ToolResult
from workroom.models.embedded.language import LANGUAGES
from workroom.models.embedded.rendering import rendered

log = logging.getLogger(__name__)

MOST_OPTIONS = 20
LONGEST = 4_000
LONGEST_ID = 100
# What a presenter raises for an item that is not as it expects: items are made by tools, and intents are data.
UNFITTING = (KeyError, IndexError, TypeError, ValueError, AttributeError)
Item = Mapping[str, Any]


@dataclass(frozen=True)
class FinishedStep:
    """A step all of whose calls found what they should: the item of each, and the results themselves. `together`: steps right
    before it for the same intent, as when a user names several places."""

    items: Sequence[Item]
    results: Sequence[ToolResult]
    language: str
    together: Sequence[StepOutcome] = ()

    @property
    def item(self) -> Item:
        """Everything known of what was found last; what earlier calls knew of it, and it does not say, is kept."""
        known: dict[str, Any] = {}
        for item in self.items:
            known |= {name: value for name, value in item.items() if value is not None}
        return known


@dataclass(frozen=True)
class Presentation:
    message: str
    actions: Sequence[UiAction] = ()


@dataclass(frozen=True)
class Presenter:
    """`done` shows a step that is done; `preview` one of several things to choose from; `keeps` is what the choice tells the
    next call of it; `asks` is the question, `nothing` is said when nothing was found, `failed` when a call failed."""

    done: Callable[[FinishedStep], Presentation]
    preview: Callable[[Item], Sequence[UiAction]] = lambda _: ()
    keeps: Callable[[Item], Mapping[str, Any]] = dict
    asks: Callable[[str], str] = lambda language: say("choose", language)
    nothing: Callable[[ToolResult, str], str] = lambda result, language: result.message or say("nothing", language)
    failed: Callable[[ToolResult, str], str] = lambda result, language: result.message or say("failed", language)
    single: bool = True  # its calls look for one thing
    quotes: bool = False  # what it says are words of the results


def _plainly(done: FinishedStep) -> Presentation:
    told = [rendered(result, LANGUAGES.get(done.language, LANGUAGES["en"])) for result in done.results[-1:]]
    return Presentation("\n\n".join(told)[:LONGEST] or say("done", done.language))


PLAIN = Presenter(_plainly, single=False, quotes=True)


def choice(presenter: Presenter, result: ToolResult, language: str) -> Choice | None:
    """What the user is asked about a result before the step goes on, if anything."""
    if result.status is ResultStatus.NEEDS_USER_CHOICE:
        several = len(result.items) > 0
    else:
        several = presenter.single and result.status is ResultStatus.OK and len(result.items) > 1
    if not several:
        return None
    items = [_item(item) for item in result.items[:MOST_OPTIONS]]
    ids = [str(item.get("id", "")) for item in items]
    usable = len(set(ids)) == len(ids) and all(0 < len(one) <= LONGEST_ID for one in ids)
    named = ids if usable else [str(place) for place in range(1, len(items) + 1)]
    options = [_option(presenter, item, option_id) for item, option_id in zip(items, named, strict=True)]
    return Choice(text=result.message or presenter.asks(language), options=options, untrusted=result.untrusted)


def refused(result: ToolResult, presenter: Presenter, language: str) -> tuple[ResultStatus, str] | None:
    """How a step ends at this result, if it does not go on."""
    if result.data.get("declined"):
        return ResultStatus.ERROR, say("declined", language)
    if result.data.get("outcome") == "unknown":
        return ResultStatus.ERROR, say("unknownOutcome", language)
    if result.status is ResultStatus.ERROR:
        meant_for_people = "code" in result.data
        return ResultStatus.ERROR, presenter.failed(result, language) if meant_for_people else say("failed", language)
    if presenter.single and not result.items:
        return ResultStatus.NEEDS_CLARIFICATION, presenter.nothing(result, language)
    # Several: the user was not asked which.
    if result.status is not ResultStatus.OK or (presenter.single and len(result.items) > 1):
        return ResultStatus.NEEDS_CLARIFICATION, result.message or say("unclear", language)
    return None


def outcome(
    step: PlannedStep,
    intent: Intent,
    presenter: Presenter,
    results: Sequence[ToolResult],
    language: str,
    before: Sequence[StepOutcome],
) -> StepOutcome:
    """What became of a step whose calls all went well; `before` are all steps before it."""
    index = len(before)
    if not step.tool_calls and step.result.status != "pending":
        status = ResultStatus(step.result.status)
        return StepOutcome(index=index, intent=intent.name, status=status, message=step.result.message)
    items = [_item(result.items[0]) for result in results if result.items] if presenter.single else []
    try:
        shown = presenter.done(FinishedStep(items, results, language, _together(intent, before)))
    except UNFITTING:
        log.warning("what was found cannot be shown as the intent says", extra={"shows": intent.shows})
        return StepOutcome(
            index=index, intent=intent.name, status=ResultStatus.ERROR, message=say("unfitting", language)
        )
    return StepOutcome(
        index=index,
        intent=intent.name,
        status=ResultStatus.OK,
        message=shown.message,
        actions=list(shown.actions),
        private=presenter.quotes and any(result.untrusted for result in results),
    )


def _together(intent: Intent, before: Sequence[StepOutcome]) -> Sequence[StepOutcome]:
    alike = takewhile(lambda step: (step.intent, step.status) == (intent.name, ResultStatus.OK), reversed(before))
    return [*alike][::-1]


def _option(presenter: Presenter, item: Item, option_id: str) -> Option:
    confidence = item.get("confidence")
    try:
        actions, kept = list(presenter.preview(item)), dict(presenter.keeps(item))
    except UNFITTING:
        actions, kept = [], dict(item)
    return Option(
        id=option_id,
        label=str(item.get("label") or item.get("name") or item.get("id") or option_id),
        confidence=float(confidence) if isinstance(confidence, int | float) else None,
        actions=actions,
        data=kept,
    )


def _item(result: Any) -> Item:
    return result if isinstance(result, Mapping) else {"id": str(result), "label": str(result)}
