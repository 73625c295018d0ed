"""Which embedding model is used for a person: the first of the mandate's chain they may use, else the multilingual one of this
process.

There is no going on to the next one when it fails: vectors of two models do not compare. Without a choice nothing leaves the
machine, whatever keys are there: a whole archive is more than a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from workroom.db import Database
from workroom.identity.types import Principal
from workroom.models.embeddings.embedder_factory import embedder_of
from workroom.models.embeddings.local import BUILT_IN, LocalOffer, local_offers
from workroom.models.embeddings.metered import MeteredEmbedder
from workroom.models.embeddings.offers import EmbeddingOffer, embedding_offers
from workroom.models.embeddings.ports import Embedder
from workroom.models.gateway import Gateway, Snapshot, may_use
from workroom.models.types import Operation
from workroom.usage.service import Budgets
from workroom.usage.types import Spender


class Embedders:
    def __init__(self, db: Database, gateway: Gateway, limits: Budgets) -> None:
        self._db = db
        self._gateway = gateway
        self._limits = limits

    async def embedder(
        self,
        principal: Principal,
        instance_id: UUID,
        *,
        conversation_id: UUID | None = None,
        run_id: UUID | None = None,
    ) -> Embedder:
        """Ready to be asked; what it costs is billed to `principal`, for this workspace. Ask again for each piece of work: the
        choice may change, and `info.ref` says whose vectors one gets."""
        snapshot = await self._gateway.snapshot(principal)
        offer = chosen(snapshot, principal, instance_id)
        if isinstance(offer, LocalOffer):
            return offer.embedder
        assert principal.user_id is not None, "whoever embeds is somebody: there is a bill"
        return self._metered(
            snapshot,
            offer,
            principal,
            Spender(principal.mandate_id, principal.user_id, instance_id, conversation_id, run_id),
        )

    async def named(self, principal: Principal, instance_id: UUID, ref: str) -> Embedder | None:
        """One that counted before, to search the vectors it made; None when it is not set up any more, or not for them."""
        snapshot = await self._gateway.snapshot(principal)
        offer = offered(snapshot).get(ref)
        if offer is None or not offer.usable or not may_embed(principal, offer, instance_id):
            return None
        if isinstance(offer, LocalOffer):
            return offer.embedder
        if principal.user_id is None:
            return None
        return self._metered(snapshot, offer, principal, Spender(principal.mandate_id, principal.user_id, instance_id))

    def _metered(self, snapshot: Snapshot, offer: EmbeddingOffer, principal: Principal, spender: Spender) -> Embedder:
        made = embedder_of(offer, snapshot.client(offer.connection))
        return MeteredEmbedder(made, self._db, self._limits, principal, spender)


def offered(snapshot: Snapshot) -> Mapping[str, EmbeddingOffer | LocalOffer]:
    """What may be chosen: of the providers, and of this process."""
    configuration = snapshot.configuration
    return {**embedding_offers(configuration, snapshot.day), **local_offers(configuration.minilm)}


def may_embed(principal: Principal, offer: EmbeddingOffer | LocalOffer, instance_id: UUID | None = None) -> bool:
    """Rules are about providers: what stays in this process is everybody's."""
    return isinstance(offer, LocalOffer) or may_use(principal, offer, instance_id)


def chosen(snapshot: Snapshot, principal: Principal, instance_id: UUID | None = None) -> EmbeddingOffer | LocalOffer:
    refs = snapshot.configuration.choices.chains.get(Operation.EMBEDDING, ())
    usual = BUILT_IN[snapshot.configuration.embedding]
    if not refs:
        return usual
    there = offered(snapshot)
    usable = (there[ref] for ref in refs if ref in there and there[ref].usable)
    return next((offer for offer in usable if may_embed(principal, offer, instance_id)), usual)
