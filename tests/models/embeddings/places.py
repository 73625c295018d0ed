"""Embedding models at a scripted provider's address, of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from workroom.core.money import Price
from workroom.models.connection import Connection
from workroom.models.embeddings.embedder_factory import embedder_of
from workroom.models.embeddings.offers import EmbeddingOffer
from workroom.models.embeddings.ports import EmbedderInfo, Floors
from workroom.models.embeddings.remote import RemoteEmbedder
from workroom.models.model_factory import client_for
from workroom.models.provider_client import ProviderClient
from workroom.models.testing import ScriptedProvider
from workroom.models.types import Provider, ProviderKind

KEY = "sk-0123456789abcdef"
AT_ONCE = (0.0, 0.0, 0.0)
PRICE = Price(Decimal(2), Decimal(0), Decimal(2))
# The model asked for at each kind of provider.
MODELS = {
    ProviderKind.OPENAI: "text-embedding-3-small",
    ProviderKind.GOOGLE: "gemini-embedding-001",
    ProviderKind.ENDPOINT: "bge-m3",
}


def info(model: str = "bge-m3", dimensions: int = 8, batch: int = 4, input_tokens: int = 512) -> EmbedderInfo:
    return EmbedderInfo("scripted", model, dimensions, PRICE, batch, input_tokens, Floors(0.2, 0.3))


def connection_to(provider: ScriptedProvider, kind: ProviderKind = ProviderKind.ENDPOINT) -> Connection:
    url = provider.root_url if kind is ProviderKind.GOOGLE else provider.base_url
    return Connection(Provider("scripted", kind, "Scripted"), url, KEY, frozenset({provider.origin}))


def embedder_at(
    provider: ScriptedProvider,
    lines: list[ProviderClient],
    kind: ProviderKind = ProviderKind.ENDPOINT,
    *,
    model: str | None = None,
    pauses: Sequence[float] = AT_ONCE,
    dimensions: int = 8,
) -> RemoteEmbedder:
    connection = connection_to(provider, kind)
    lines.append(client_for(connection))
    known = info(model or MODELS[kind], dimensions)
    offer = EmbeddingOffer(known.ref, known.id, known, connection, listed=kind is not ProviderKind.ENDPOINT)
    return embedder_of(offer, lines[-1], pauses)
