"""Items that members of a workspace create and delete, such as notes and todos: rights, trash and notification of open pages
are the same for all kinds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, Self, TypeVar
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.db import UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.instances import require_instance
from workroom.identity.types import Action, Principal


class WorkspaceItem(Protocol):
    @property
    def id(self) -> UUID: ...

    @property
    def owner_id(self) -> UUID | None: ...

    @property
    def deleted_at(self) -> datetime | None: ...

    def model_copy(self, *, update: dict[str, Any]) -> Self: ...


T = TypeVar("T", bound=WorkspaceItem)
Item = TypeVar("Item", covariant=True)


class Get(Protocol[Item]):
    """By mandate, workspace and id; also from the trash."""

    def __call__(
        self, uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, id_: UUID, /, *, lock: bool = False
    ) -> Awaitable[Item | None]: ...


@dataclass(frozen=True)
class WorkspaceItems(Generic[T]):
    """One kind of them; `key` is what rights are given for. Everything here is part of its caller's transaction."""

    name: str
    key: str
    kind: ChangeKind
    get: Get[T]
    save: Callable[[UnitOfWork, UUID, T], Awaitable[None]]

    async def require_create(self, uow: UnitOfWork, principal: Principal, instance_id: UUID) -> UUID:
        """Raises unless the person may create one here. Returns the id of its owner."""
        assert principal.user_id is not None
        await require_instance(uow, principal, instance_id)
        require(principal, Action.CREATE, Target(self.key, principal.user_id, frozenset({instance_id})))
        return principal.user_id

    async def checked(
        self,
        uow: UnitOfWork,
        principal: Principal,
        action: Action,
        instance_id: UUID,
        id_: UUID,
        *,
        lock: bool = False,
        trash: bool = False,
    ) -> T:
        """If this may be done to it. One of another workspace, or one in the trash, is as good as none."""
        await require_instance(uow, principal, instance_id)
        item = await self.get(uow, principal.mandate_id, instance_id, id_, lock=lock)
        if item is None or (item.deleted_at is not None and not trash):
            raise NotFound(f"There is no such {self.name} here, or it is not yours to see.")
        require(principal, action, Target(self.key, item.owner_id, frozenset({instance_id})))
        return item

    async def update(self, uow: UnitOfWork, principal: Principal, instance_id: UUID, item: T, **changes: object) -> T:
        changed = item.model_copy(update={**changes, "updated_at": now()})
        await self.save(uow, principal.mandate_id, changed)
        await self.announce(uow, principal, instance_id, changed)
        return changed

    async def move_to_trash(self, uow: UnitOfWork, principal: Principal, instance_id: UUID, id_: UUID) -> T:
        """Into the trash, where it stays for a while (db/trash.py): that is why there is no confirmation."""
        item = await self.checked(uow, principal, Action.DELETE, instance_id, id_, lock=True)
        return await self.update(uow, principal, instance_id, item, deleted_at=now())

    async def restore(self, uow: UnitOfWork, principal: Principal, instance_id: UUID, id_: UUID) -> T:
        """The right to delete is the right to restore; restoring what is not in the trash changes nothing."""
        item = await self.checked(uow, principal, Action.DELETE, instance_id, id_, lock=True, trash=True)
        if item.deleted_at is None:
            return item
        return await self.update(uow, principal, instance_id, item, deleted_at=None)

    async def announce(self, uow: UnitOfWork, principal: Principal, instance_id: UUID, item: T) -> None:
        change = Change(
            mandate_id=principal.mandate_id,
            kind=self.kind,
            id=item.id,
            owner_id=item.owner_id,
            instance_id=instance_id,
        )
        await uow.announce(change)
