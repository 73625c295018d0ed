"""What is answered when a run waits for the user: yes to confirmations and proposals unless the task says no, the first of
several choices, and the task's own reply to a question."""

from __future__ import annotations

from collections.abc import Mapping

from evals.tools.tasks import Task
from workroom.core.languages import Language
from workroom.core.pauses import (
    Choice,
    Chosen,
    Confirmation,
    Confirmed,
    Pause,
    PauseAnswer,
    Proposal,
    Replied,
    Reviewed,
)

UP_TO_YOU: Mapping[Language, str] = {
    "de": "Entscheide selbst.",
    "en": "Decide for yourself.",
    "fr": "À toi de décider.",
    "pt": "Decide tu.",
    "zh": "你来决定吧。",
}


def reply_to(pause: Pause, task: Task) -> PauseAnswer:
    match pause:
        case Confirmation():
            return Confirmed(accepted=task.confirms)
        case Proposal():
            return Reviewed(accepted=task.confirms)
        case Choice(options=options):
            return Chosen(choice_id=options[0].id)
        case _:
            return Replied(text=task.reply or UP_TO_YOU[task.language])
