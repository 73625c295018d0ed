"""What summing up needs from its caller: a tool's context is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.models.ports import Compose, ModelInfo, ModelResponse
from workroom.models.types import Operation
from workroom.usage.types import Purpose


class DigestCaller(Protocol):
    async def models(self, operation: Operation) -> Sequence[ModelInfo]:
        """The models that would be asked, in this order; empty when none is available."""
        ...

    async def ask_model(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        """Several at once. Raises NoModel, ModelFailed, BudgetExceeded."""
        ...

    def report_progress(self, text: str) -> None:
        """Reports progress to the user."""
        ...
