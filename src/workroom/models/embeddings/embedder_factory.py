"""From an offer to an embedding model one can ask: the only place that knows which API belongs to which provider."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.models.connection import Connection
from workroom.models.embeddings.offers import EmbeddingOffer
from workroom.models.embeddings.ports import EmbedderInfo
from workroom.models.embeddings.remote import RemoteEmbedder
from workroom.models.embeddings.wire_formats import EmbeddingWire, GoogleWire, OpenAiWire
from workroom.models.ports import RETRY_PAUSES
from workroom.models.provider_client import ProviderClient
from workroom.models.types import ProviderKind


def embedder_of(
    offer: EmbeddingOffer, provider: ProviderClient, pauses: Sequence[float] = RETRY_PAUSES
) -> RemoteEmbedder:
    wire = _wire(offer.info, offer.connection, listed=offer.listed)
    return RemoteEmbedder(offer.info, wire, offer.connection, provider, pauses)


def _wire(info: EmbedderInfo, connection: Connection, *, listed: bool) -> EmbeddingWire:
    if connection.provider.kind is ProviderKind.GOOGLE:
        return GoogleWire(info.id, connection.key, info.dimensions)
    # OpenAI itself, also when it was entered by its address; Claude's makers have no embedding models.
    return OpenAiWire(info.id, connection.key, info.dimensions if listed else None, as_bytes=listed)
