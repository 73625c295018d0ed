"""Storage quotas of users and mandates. Usage is summed when it is checked: a stored counter could drift."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.core.errors import TooLarge
from workroom.db import UnitOfWork
from workroom.files.errors import QuotaExceeded
from workroom.files.store import blobs, uploads
from workroom.settings import Settings


@dataclass(frozen=True)
class Quotas:
    """In bytes; None: no limit."""

    file: int
    user: int | None = None
    mandate: int | None = None

    @classmethod
    def of(cls, settings: Settings) -> Quotas:
        return cls(settings.max_file_bytes, settings.user_quota_bytes, settings.mandate_quota_bytes)

    def require_size(self, size: int) -> None:
        if size > self.file:
            raise TooLarge(f"A file may have at most {self.file:,} bytes; this one has {size:,}.", limit=self.file)

    async def require_room(
        self, uow: UnitOfWork, mandate_id: UUID, owner_id: UUID, size: int, *, beginning: bool = False
    ) -> None:
        """Raise QuotaExceeded unless `size` more bytes fit. All versions, derived data and the trash count; with `beginning`
        also unfinished uploads, so that an upload is refused before it is sent."""
        limits = self._limits(owner_id)
        if limits:
            await blobs.lock_quotas(uow, mandate_id)
        for scope, limit, whose in limits:
            used = await blobs.used_bytes(uow, mandate_id, whose)
            promised = await uploads.promised_bytes(uow, mandate_id, whose) if beginning else 0
            if used + promised + size > limit:
                raise QuotaExceeded(scope, used + promised, limit, size)

    async def left(self, uow: UnitOfWork, mandate_id: UUID, owner_id: UUID) -> int | None:
        """Free bytes, None without a limit; negative when derived data has exceeded the quota."""
        free = [limit - await blobs.used_bytes(uow, mandate_id, whose) for _, limit, whose in self._limits(owner_id)]
        return min(free, default=None)

    def _limits(self, owner_id: UUID) -> list[tuple[str, int, UUID | None]]:
        limits = ("user", self.user, owner_id), ("mandate", self.mandate, None)
        return [(scope, limit, whose) for scope, limit, whose in limits if limit is not None]
