"""The audit log: who did what to whom, written in the same transaction, readable by those whose role allows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.store import audit as store
from workroom.identity.types import Action, AuditEntry, Principal


class Audit:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, request: PageRequest) -> Page[AuditEntry]:
        require(principal, Action.READ, Target("data.audit"))
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, request)


async def record(
    uow: UnitOfWork,
    principal: Principal,
    action: str,
    kind: ChangeKind,
    object_id: UUID,
    *,
    owner_id: UUID | None = None,
    instance_id: UUID | None = None,
    details: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """Write history and tell open browsers; every mutation of identity ends with this."""
    told = {**(details or {}), **more}
    entry = AuditEntry(
        new_id(),
        now(),
        principal.user_id,
        principal.name,
        f"{kind}.{action}",
        kind,
        object_id,
        told,
        principal.client.address,
    )
    await store.insert(uow, principal.mandate_id, entry)
    change = Change(
        mandate_id=principal.mandate_id, kind=kind, id=object_id, owner_id=owner_id, instance_id=instance_id
    )
    await uow.announce(change)
