"""What is answered when a run waits for the user: yes or no to confirmations and proposals, the first of several choices, and to
a question a given reply, or that the agent may decide."""

from __future__ import annotations

from collections.abc import Mapping

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


def reply_to(pause: Pause, language: Language, *, confirms: bool = True, reply: str | None = None) -> PauseAnswer:
    match pause:
        case Confirmation():
            return Confirmed(accepted=confirms)
        case Proposal():
            return Reviewed(accepted=confirms)
        case Choice(options=options):
            return Chosen(choice_id=options[0].id)
        case _:
            return Replied(text=reply or UP_TO_YOU[language])
