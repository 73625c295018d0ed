"""The models a configuration offers, with everything known of each. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from workroom.models.catalogue import Entry
from workroom.models.configuration import Configuration
from workroom.models.connection import PUBLIC, Connection
from workroom.models.ports import ModelInfo
from workroom.models.prices import price_of
from workroom.models.types import OwnModel, ProviderKind
from workroom.net.urls import parse_url


class Offered(Protocol):
    """Something of a provider that rules speak of by its name."""

    @property
    def ref(self) -> str: ...

    @property
    def connection(self) -> Connection: ...


@dataclass(frozen=True)
class Offer:
    """`ref` is `provider/model`: what people, chains and rules call it."""

    ref: str
    label: str
    info: ModelInfo
    connection: Connection


def offers(configuration: Configuration, day: date) -> Mapping[str, Offer]:
    """By reference, in the order of the providers and of their lists."""
    return {
        offer.ref: offer
        for connection in configuration.connections
        if connection.usable
        for offer in _of(connection, configuration, day)
    }


def _of(connection: Connection, configuration: Configuration, day: date) -> Iterator[Offer]:
    provider = connection.provider
    own = {model.name: model for model in provider.models}
    for entry in configuration.catalogue.entries.get(provider.kind.value, {}).values():
        if entry.id not in own:
            yield _offer(connection, configuration, day, entry.id, entry)
    for model in own.values():
        # What people enter replaces what the catalogue says of abilities, never of prices.
        yield _offer(connection, configuration, day, model.name, model)


def _offer(
    connection: Connection, configuration: Configuration, day: date, model: str, known: Entry | OwnModel
) -> Offer:
    provider, catalogue = connection.provider, configuration.catalogue
    ref = f"{provider.name}/{model}"
    whose = priced_as(connection)
    entry = catalogue.entry(whose, model)
    info = ModelInfo(
        provider.name,
        model,
        price_of(ref, entry, configuration.choices, day, own_server=connection.own_server),
        context_tokens=known.context_tokens,
        output_tokens=known.output_tokens,
        tools=known.tools,
        images=known.images,
        structured=isinstance(known, OwnModel) and known.structured,
        strategy=catalogue.strategy(whose, model),
        own_server=connection.own_server,
    )
    return Offer(ref, known.label if isinstance(known, Entry) else model, info, connection)


def priced_as(connection: Connection) -> str:
    """Whose part of the catalogue holds. OpenAI is OpenAI, also when it was entered by its address."""
    if connection.provider.kind is ProviderKind.ENDPOINT:
        openai = PUBLIC[ProviderKind.OPENAI]
        same = parse_url(connection.url).origin == parse_url(openai).origin
        return ProviderKind.OPENAI.value if same else ""
    return connection.provider.kind.value
