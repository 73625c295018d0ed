"""The facts of a run: entities that rules or a model found in results of its tools, stored for the one person it acts for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from workroom.agent.entities.rules import find
from workroom.agent.entities.types import Entity
from workroom.conversations import memory_store
from workroom.conversations.memory_store import MemoryOwner
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.runs.types import Claim


async def entities_in(claim: Claim, result: ToolResult) -> Sequence[Entity]:
    """In a thread: a result may be long."""
    return await asyncio.to_thread(find, result) if claim.agent.remembers else ()


async def note(uow: UnitOfWork, claim: Claim, call_id: UUID, facts: Sequence[Entity]) -> None:
    if not facts:
        return
    whose = MemoryOwner(claim.key.mandate_id, claim.conversation_id, claim.instance_id, claim.user_id)
    await memory_store.note(uow, whose, call_id, facts, now())
    await announce(uow, claim)


async def announce(uow: UnitOfWork, claim: Claim) -> None:
    """Tell open browsers that what the conversation remembers has changed."""
    mandate_id, kind = claim.key.mandate_id, ChangeKind.MEMORY
    await uow.announce(Change(mandate_id=mandate_id, kind=kind, id=claim.conversation_id, owner_id=claim.user_id))


async def known(uow: UnitOfWork, claim: Claim) -> Sequence[Entity]:
    return await memory_store.known(uow, claim.key.mandate_id, claim.conversation_id, claim.user_id)
