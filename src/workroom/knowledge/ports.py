"""What knowledge needs from outside."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from workroom.identity.types import Principal
from workroom.models.embeddings.ports import Embedder
from workroom.models.reranking.ports import Reranker


class Embedders(Protocol):
    async def embedder(self, principal: Principal, instance_id: UUID) -> Embedder:
        """Whose vectors count for them in this workspace; what it costs is theirs. There is always one."""
        ...

    async def named(self, principal: Principal, instance_id: UUID, ref: str) -> Embedder | None:
        """One that counted before, to search what it made; None when they cannot ask it any more."""
        ...


class Rerankers(Protocol):
    async def reranker(self, principal: Principal, instance_id: UUID) -> Reranker | None:
        """The reranker of a person; None: no model was chosen."""
        ...


class People(Protocol):
    async def as_user(self, mandate_id: UUID, user_id: UUID) -> Principal | None:
        """With the rights they have now; None for a person who is gone."""
        ...
