"""The audit log: who did what to whom, written in the same transaction, readable by those whose role allows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Protocol
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.store import audit as store
from workroom.identity.types import Action, AuditEntry, AuditFilter, Principal

EVERYTHING = AuditFilter()


class ObjectNames(Protocol):
    """What objects of a kind are called, for a principal who may read them; others are left out."""

    async def __call__(self, uow: UnitOfWork, principal: Principal, ids: Collection[UUID]) -> Mapping[UUID, str]: ...


class Audit:
    """`names`, by kind of object: an entry keeps no name of what was private, so it is looked up for each reader."""

    def __init__(self, db: Database, names: Mapping[ChangeKind, ObjectNames] | None = None) -> None:
        self._db, self._names = db, names or {}

    async def list(
        self, principal: Principal, request: PageRequest, filters: AuditFilter = EVERYTHING
    ) -> Page[AuditEntry]:
        require(principal, Action.READ, Target("data.audit"))
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self._named(uow, principal, await store.listed(uow, principal.mandate_id, request, filters))

    async def _named(self, uow: UnitOfWork, principal: Principal, page: Page[AuditEntry]) -> Page[AuditEntry]:
        names: dict[UUID, str] = {}
        for kind, names_of in self._names.items():
            ids = {entry.object_id for entry in page.items if entry.object_id and entry.object_kind == kind}
            if ids:
                names |= await names_of(uow, principal, ids)
        return page.map(lambda entry: _with_name(entry, names))


def _with_name(entry: AuditEntry, names: Mapping[UUID, str]) -> AuditEntry:
    name = names.get(entry.object_id) if entry.object_id is not None else None
    if name is None or "name" in entry.details:
        return entry
    return replace(entry, details={"name": name, **entry.details})


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
