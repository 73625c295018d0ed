"""What knowledge needs from outside."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from workroom.identity.types import Principal
from workroom.models.embeddings.ports import Embedder


class Embedders(Protocol):
    async def embedder(self, who: Principal, instance_id: UUID) -> Embedder:
        """Whose vectors count for them in this workspace; what it costs is theirs. There is always one."""
        ...


class People(Protocol):
    async def as_user(self, mandate_id: UUID, user_id: UUID) -> Principal | None:
        """With the rights they have now; None for somebody who is gone."""
        ...
