"""What everybody is measured with: so many runs of so many rounds. Standard library only: peers import it too."""

from __future__ import annotations

WARM = 5
RUNS = 30
ROUNDS = 10


def diary_of(run: int) -> str:
    """What the user says; the titles of a run's notes repeat it, so that no call is asked for twice."""
    return f"Keep diary {run}."


def title_of(diary: str, number: int) -> str:
    return f"{diary} Day {number}"
