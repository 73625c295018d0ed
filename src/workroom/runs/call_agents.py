"""Which agent made a call, for tools that write in its name."""

from __future__ import annotations

from uuid import UUID

from workroom.agents.shipped import ASSISTANT_ID
from workroom.core.writing_agent import WritingAgent
from workroom.db import UnitOfWork
from workroom.runs import call_store, store
from workroom.runs.types import RunKey


async def calling_agent(uow: UnitOfWork, mandate_id: UUID, call_id: UUID) -> WritingAgent | None:
    """None for a call that belongs to no run."""
    run_id = await call_store.run_of(uow, mandate_id, call_id)
    spec = await store.agent_of(uow, RunKey(mandate_id, run_id)) if run_id else None
    return WritingAgent(spec.id or ASSISTANT_ID, spec.name, run_id) if spec and run_id else None
