"""Which reranking model is used for a person: the first of the mandate's chain they may use. Without a choice there is none."""

from __future__ import annotations

from uuid import UUID

from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.gateway import Gateway, may_use
from workroom.models.reranking.metered import MeteredReranker
from workroom.models.reranking.offers import rerank_offers
from workroom.models.reranking.ports import Reranker
from workroom.models.reranking.remote import RemoteReranker
from workroom.models.types import Operation
from workroom.usage.service import Budgets
from workroom.usage.types import Spender


class Rerankers:
    def __init__(self, db: Database, gateway: Gateway, limits: Budgets) -> None:
        self._db, self._gateway, self._limits = db, gateway, limits

    async def reranker(self, principal: Principal, instance_id: UUID) -> Reranker | None:
        """Ready to be asked; what it costs is billed to `principal`, for this workspace."""
        snapshot = await self._gateway.snapshot(principal)
        refs = snapshot.configuration.choices.chains.get(Operation.RERANK, ())
        if not refs or principal.user_id is None:
            return None
        offered = rerank_offers(snapshot.configuration, snapshot.day)
        usable = (offered[ref] for ref in refs if ref in offered)
        offer = next((one for one in usable if may_use(principal, one, instance_id)), None)
        if offer is None:
            return None
        spender = Spender(principal.mandate_id, principal.user_id, instance_id)
        made = RemoteReranker(offer, snapshot.client(offer.connection))
        return MeteredReranker(made, self._db, self._limits, principal, spender)
