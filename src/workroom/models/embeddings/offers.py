"""The embedding models a configuration offers: the catalogue's, and every model of a server of one's own, as far as it is
known what vectors it gives. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from workroom.core.money import Price
from workroom.models import catalogue
from workroom.models.catalogue import EmbeddingEntry
from workroom.models.configuration import Configuration
from workroom.models.connection import Connection
from workroom.models.embeddings.ports import EmbedderInfo, Floors
from workroom.models.offers import priced_as
from workroom.models.prices import price_of
from workroom.models.types import Choices, OwnModel, OwnVectors, ProviderKind

# Of an unmeasured model of the catalogue: rather too much than too little, since the ranking comes after.
UNMEASURED = Floors(instance=0.25, shared=0.30)
OWN_BATCH = 32  # texts per request to a server of one's own, which may have no graphics card
MOST_INPUT_TOKENS = 8_192


@dataclass(frozen=True)
class EmbeddingOffer:
    """`dimensions` 0: not known yet; choosing the model finds out. `listed`: the catalogue knows it."""

    ref: str
    label: str
    info: EmbedderInfo
    connection: Connection
    listed: bool

    @property
    def usable(self) -> bool:
        return self.info.dimensions > 0


def embedding_offers(configuration: Configuration, day: date) -> Mapping[str, EmbeddingOffer]:
    """By reference, in the order of the providers and of their lists."""
    return {
        offer.ref: offer
        for connection in configuration.connections
        if connection.usable
        for offer in _of(connection, configuration.choices, day)
    }


def _of(connection: Connection, choices: Choices, day: date) -> Iterator[EmbeddingOffer]:
    provider = connection.provider
    for entry in catalogue.embedding_entries().get(provider.kind.value, ()):
        ref = f"{provider.name}/{entry.id}"
        yield _listed(connection, entry, price_of(ref, entry, choices, day))
    if provider.kind is not ProviderKind.ENDPOINT:
        return  # what people add to a provider's list are models to talk to
    for model in provider.models:
        ref = f"{provider.name}/{model.name}"
        known = catalogue.embedding_entry(priced_as(connection), model.name)
        price = price_of(ref, known, choices, day, own_server=connection.own_server)
        yield _listed(connection, known, price) if known else _own(connection, model, price)


def _listed(connection: Connection, entry: EmbeddingEntry, price: Price) -> EmbeddingOffer:
    info = EmbedderInfo(
        connection.provider.name,
        entry.id,
        entry.dimensions,
        price,
        entry.batch,
        entry.input_tokens,
        Floors(*entry.floors) if entry.floors else UNMEASURED,
    )
    return EmbeddingOffer(info.ref, entry.label, info, connection, listed=True)


def _own(connection: Connection, model: OwnModel, price: Price) -> EmbeddingOffer:
    found = model.vectors or OwnVectors(0, UNMEASURED.instance, UNMEASURED.shared)
    info = EmbedderInfo(
        connection.provider.name,
        model.name,
        found.dimensions,
        price,
        OWN_BATCH,
        min(model.context_tokens, MOST_INPUT_TOKENS),
        Floors(found.instance_floor, found.shared_floor, found.answer),
    )
    return EmbeddingOffer(info.ref, model.name, info, connection, listed=False)
