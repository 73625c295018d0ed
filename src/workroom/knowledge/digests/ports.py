"""What summing up needs from whoever wants it: a tool's context is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.models.ports import Compose, ModelInfo, ModelResponse
from workroom.models.types import Operation
from workroom.usage.types import Purpose


class DigestCaller(Protocol):
    async def advisers(self, operation: Operation) -> Sequence[ModelInfo]:
        """Who would be asked, in this order; none: nobody can answer."""
        ...

    async def consult(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        """Several at once. Raises NoModel, ModelFailed, BudgetExceeded."""
        ...

    def tell(self, text: str) -> None:
        """How far it is, for whoever waits."""
        ...
