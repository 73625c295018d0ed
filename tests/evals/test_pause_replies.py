"""A run that waits is answered with yes, or with no where that is wanted; questions in the language of the conversation."""

from __future__ import annotations

import pytest
from evals.pause_replies import reply_to

from workroom.core.pauses import (
    Choice,
    Chosen,
    Confirmation,
    Confirmed,
    Option,
    Pause,
    PauseAnswer,
    Proposal,
    Question,
    Replied,
    Reviewed,
)

CONFIRMATION = Confirmation(text="Delete it?")
PROPOSAL = Proposal(text="Change it?", name="n", before="a", after="b")
CHOICE = Choice(text="Which?", options=[Option(id="x", label="X"), Option(id="y", label="Y")])
QUESTION = Question(text="Which room?")


@pytest.mark.parametrize(
    ("pause", "confirms", "answer"),
    [
        (CONFIRMATION, True, Confirmed(accepted=True)),
        (CONFIRMATION, False, Confirmed(accepted=False)),
        (PROPOSAL, True, Reviewed(accepted=True)),
        (PROPOSAL, False, Reviewed(accepted=False)),
        (CHOICE, False, Chosen(choice_id="x")),
        (QUESTION, False, Replied(text="Entscheide selbst.")),
    ],
)
def test_replies(pause: Pause, confirms: bool, answer: PauseAnswer) -> None:
    assert reply_to(pause, "de", confirms=confirms) == answer


def test_a_question_gets_the_reply_that_was_given() -> None:
    assert reply_to(QUESTION, "pt", reply="A grande.") == Replied(text="A grande.")
    assert reply_to(QUESTION, "pt") == Replied(text="Decide tu.")
