"""How much room people and organisations have. Counted when it matters, not kept in a number that could drift."""

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
        """All versions, what is derived from them and the trash count. `beginning`: so do uploads under way, so that nobody sends
        what cannot stay."""
        limits = self._limits(owner_id)
        if limits:
            await blobs.lock_quotas(uow, mandate_id)
        for scope, limit, whose in limits:
            used = await blobs.used_bytes(uow, mandate_id, whose)
            promised = await uploads.promised_bytes(uow, mandate_id, whose) if beginning else 0
            if used + promised + size > limit:
                raise QuotaExceeded(scope, used + promised, limit, size)

    async def left(self, uow: UnitOfWork, mandate_id: UUID, owner_id: UUID) -> int | None:
        """How many bytes are free; less than none when more was derived from files than there was room for."""
        free = [limit - await blobs.used_bytes(uow, mandate_id, whose) for _, limit, whose in self._limits(owner_id)]
        return min(free, default=None)

    def _limits(self, owner_id: UUID) -> list[tuple[str, int, UUID | None]]:
        limits = ("user", self.user, owner_id), ("mandate", self.mandate, None)
        return [(scope, limit, whose) for scope, limit, whose in limits if limit is not None]
