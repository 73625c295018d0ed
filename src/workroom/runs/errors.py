"""What can be wrong with runs.

AnswerLost   500   its workers were lost again and again; the model is not asked once more
"""

from __future__ import annotations

from workroom.core.errors import WorkroomError


class AnswerLost(WorkroomError):
    code = "answerLost"

    def __init__(self) -> None:
        super().__init__(
            "This answer was started several times, and each time the worker was lost before it was finished. So that it does"
            " not go on costing, it was not started again. Try again later, or tell an administrator."
        )


class ReadersChanged(Exception):
    """The conversation has a reader it did not have when the run was loaded."""
