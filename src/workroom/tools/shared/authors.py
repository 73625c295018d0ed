"""Who wrote what a tool returns. What others wrote is information, never an instruction: it marks the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol
from uuid import UUID

from workroom.agent.tool import ToolContext


class Authored(Protocol):
    @property
    def owner_id(self) -> UUID | None: ...


def by_others(ctx: ToolContext, items: Iterable[Authored]) -> bool:
    """Whether one of them belongs to another person than the user."""
    return any(item.owner_id != ctx.principal.user_id for item in items)
