"""Finding out what vectors a model gives, by asking it: that is how choosing one tests the connection as well.

A model of the catalogue must give what the catalogue says. Of any other, the number of dimensions and the floors are found
with the pairs that ship, and kept with the provider.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from workroom.core.errors import InvalidInput
from workroom.db import UnitOfWork
from workroom.identity.types import Principal
from workroom.models import store
from workroom.models.embeddings.calibration import calibrate, shipped_pairs
from workroom.models.embeddings.embedder_factory import embedder_of
from workroom.models.embeddings.local import LocalOffer
from workroom.models.embeddings.offers import EmbeddingOffer
from workroom.models.gateway import Snapshot
from workroom.models.provider_client import ProviderClient
from workroom.models.types import OwnVectors

GREETING = "Workroom"
ONCE = ()  # a user waits for it, and can try again themselves


@dataclass(frozen=True)
class ProbedVectors:
    """`vectors` of a model that is described with a stored provider; None for one that is known."""

    provider_id: UUID | None
    model: str
    vectors: OwnVectors | None


async def learn(offer: EmbeddingOffer | LocalOffer, snapshot: Snapshot) -> ProbedVectors:
    """Raises ModelFailed when it does not answer, or is no embedding model."""
    if isinstance(offer, LocalOffer):
        await offer.embedder.embed([GREETING], query=True)
        return ProbedVectors(None, offer.info.id, None)
    return await _distant(offer, snapshot.client(offer.connection))


async def _distant(offer: EmbeddingOffer, client: ProviderClient) -> ProbedVectors:
    provider = offer.connection.provider
    if offer.listed:
        await embedder_of(offer, client, ONCE).embed([GREETING], query=True)
        return ProbedVectors(provider.id, offer.info.id, None)
    if provider.id is None:
        raise InvalidInput(
            f"The server {provider.name} comes from the environment, where nothing can be noted about it. Add it as a "
            "provider of your own, and choose its model there.",
            field="models",
        )
    unknown = replace(offer, info=replace(offer.info, dimensions=0))
    (vector,) = (await embedder_of(unknown, client, ONCE).embed([GREETING], query=True)).vectors
    known = replace(offer, info=replace(offer.info, dimensions=len(vector)))
    floors = await calibrate(embedder_of(known, client, ONCE), shipped_pairs())
    return ProbedVectors(
        provider.id, offer.info.id, OwnVectors(len(vector), floors.instance, floors.shared, floors.answer)
    )


async def keep(uow: UnitOfWork, principal: Principal, learnt: ProbedVectors) -> None:
    if learnt.vectors is None or learnt.provider_id is None:
        return
    found = await store.provider(uow, principal.mandate_id, learnt.provider_id)
    if found is None:
        return  # removed meanwhile; then the chain names no model
    provider, key = found
    models = [
        replace(model, vectors=learnt.vectors) if model.name == learnt.model else model for model in provider.models
    ]
    await store.update_provider(uow, principal.mandate_id, replace(provider, models=models), key)
