"""What a person's answer makes of the call that asked: its result."""

from __future__ import annotations

from workroom.core.errors import InvalidInput
from workroom.core.pauses import (
    Choice,
    Chosen,
    Confirmation,
    Confirmed,
    Pause,
    PauseAnswer,
    Proposal,
    Question,
    Replied,
    Reviewed,
)
from workroom.core.results import ToolResult

FITTING = {Confirmation: Confirmed, Question: Replied, Choice: Chosen, Proposal: Reviewed}


def require_fitting(pause: Pause, answer: PauseAnswer) -> None:
    """An answer of another kind, or a choice that was not offered, leaves the pause standing."""
    if not isinstance(answer, FITTING[type(pause)]):
        raise InvalidInput(f"This is a {pause.kind}; it cannot be answered with a {answer.kind}.", field="answer")
    offered = {option.id for option in pause.options} if isinstance(pause, Choice) else set()
    if isinstance(answer, Chosen) and answer.choice_id not in offered:
        raise InvalidInput("This is not one of the choices.", field="choiceId")


def holds_for_run(pause: Pause | None, answer: PauseAnswer | None) -> bool:
    """Whether the user has agreed to all further calls of this tool in the run."""
    agreed = isinstance(answer, Confirmed) and answer.accepted
    return agreed and isinstance(pause, Confirmation) and pause.for_run


def declined() -> ToolResult:
    return ToolResult.error(
        "The user does not want this. It was not done; do not try it again unless they ask for it.", declined=True
    )


def completed(pause: Pause | None, answer: PauseAnswer) -> ToolResult:
    """The result of a call that asked, for tools that have nothing to do with the answer themselves."""
    match pause, answer:
        case Question(), Replied(text=text):
            return ToolResult(message=f"The user answered: {text}")
        case Choice(options=options, untrusted=untrusted), Chosen(choice_id=choice_id):
            chosen = next(option for option in options if option.id == choice_id)
            item = {"id": chosen.id, "label": chosen.label, **chosen.data}
            said = f"The user chose: {chosen.label}"
            return ToolResult(items=[item], message=said, data={"choiceId": choice_id}, untrusted=untrusted)
        case Proposal(), Reviewed(accepted=True):
            return ToolResult(message="The user accepted the proposal.")
        case Proposal(), Reviewed(accepted=False):
            return declined()
        case _:
            raise AssertionError("an answer is checked before it is stored")
