"""What came of a task or a scenario, as far as all evaluations know it."""

from __future__ import annotations

from typing import Protocol

from evals.figures import Figures


class Outcome(Protocol):
    """`problems` is empty for a success. `unanswered`: the model has not answered at all."""

    @property
    def id(self) -> str: ...

    @property
    def language(self) -> str: ...

    @property
    def problems(self) -> tuple[str, ...]: ...

    @property
    def figures(self) -> Figures: ...

    @property
    def unanswered(self) -> bool: ...

    @property
    def success(self) -> bool: ...
