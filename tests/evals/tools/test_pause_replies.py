"""A run that waits is answered with yes, or with no where the task says so; questions in the language of the task."""

from __future__ import annotations

import pytest
from evals.tools.pause_replies import reply_to
from evals.tools.tasks import Task, all_tasks, selected

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

CONFIRMS = selected(all_tasks(), ["pt-notes-1"])[0]
REFUSES = selected(all_tasks(), ["de-refusals-1"])[0]
CONFIRMATION = Confirmation(text="Delete it?")
PROPOSAL = Proposal(text="Change it?", name="n", before="a", after="b")
CHOICE = Choice(text="Which?", options=[Option(id="x", label="X"), Option(id="y", label="Y")])
QUESTION = Question(text="Which room?")


@pytest.mark.parametrize(
    ("pause", "task", "answer"),
    [
        (CONFIRMATION, CONFIRMS, Confirmed(accepted=True)),
        (CONFIRMATION, REFUSES, Confirmed(accepted=False)),
        (PROPOSAL, CONFIRMS, Reviewed(accepted=True)),
        (PROPOSAL, REFUSES, Reviewed(accepted=False)),
        (CHOICE, REFUSES, Chosen(choice_id="x")),
        (QUESTION, REFUSES, Replied(text="Entscheide selbst.")),
        (QUESTION, CONFIRMS.model_copy(update={"reply": "A grande."}), Replied(text="A grande.")),
    ],
)
def test_replies(pause: Pause, task: Task, answer: PauseAnswer) -> None:
    assert reply_to(pause, task) == answer
