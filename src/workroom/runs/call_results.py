"""Stores the results of tool calls, each together with the facts that were found in it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.agent.entities.types import Entity
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.runs import call_store, facts
from workroom.runs.types import Claim


async def finish(
    uow: UnitOfWork, claim: Claim, call_id: UUID, result: ToolResult, duration_ms: int, entities: Sequence[Entity]
) -> None:
    """Stores the result and its facts. A call finishes once, so a fact that was deleted does not come back from it."""
    await call_store.finish(uow, claim.key, call_id, result, duration_ms)
    await facts.note(uow, claim, call_id, entities)
