"""The reranking models a configuration offers: any model of a server that was entered by its address. Which of them can do it
is found out by asking, when one is chosen. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from workroom.models.configuration import Configuration
from workroom.models.connection import Connection
from workroom.models.prices import price_of
from workroom.models.reranking.ports import RerankerInfo
from workroom.models.types import ProviderKind


@dataclass(frozen=True)
class RerankOffer:
    ref: str
    info: RerankerInfo
    connection: Connection


def rerank_offers(configuration: Configuration, day: date) -> Mapping[str, RerankOffer]:
    """By reference, in the order of the providers and of their lists."""
    found = {}
    for connection in configuration.connections:
        provider = connection.provider
        if not connection.usable or provider.kind is not ProviderKind.ENDPOINT:
            continue
        for model in provider.models:
            ref = f"{provider.name}/{model.name}"
            price = price_of(ref, None, configuration.choices, day, own_server=connection.own_server)
            found[ref] = RerankOffer(ref, RerankerInfo(provider.name, model.name, price), connection)
    return found
