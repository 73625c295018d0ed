"""Which models to try, in which order, for a kind of work: what the mandate chose, else the catalogue's ranking. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workroom.models import catalogue
from workroom.models.environment import OWN_SERVER
from workroom.models.offers import Offer
from workroom.models.types import Choices, Operation, ProviderKind

MOST_OF_ONE = 2  # models of one endpoint that are tried without anybody having chosen them
# Work for which models of the catalogue's kind, that read and write text, are no use.
OTHER_MODELS = frozenset({Operation.EMBEDDING, Operation.SPEECH, Operation.RERANK})


def chain(choices: Choices, offered: Mapping[str, Offer], operation: Operation) -> Sequence[Offer]:
    """The chain that the mandate chose, else the default. When no model of a chosen chain is left, none is used instead."""
    if operation in choices.chains:
        return [offered[ref] for ref in choices.chains[operation] if ref in offered]
    return default_chain(offered, operation)


def default_chain(offered: Mapping[str, Offer], operation: Operation) -> Sequence[Offer]:
    """The server in the settings, the ranked models, then other servers: only what is there, and can do the work."""
    if operation in OTHER_MODELS:
        return []
    endpoints = [offer for offer in offered.values() if offer.connection.provider.kind is ProviderKind.ENDPOINT]
    named = [offer for offer in endpoints if offer.info.provider == OWN_SERVER]
    ranked = [offered[ref] for ref in catalogue.ranking()[operation] if ref in offered]
    others = [offer for offer in _first_of_each(endpoints) if offer not in named]
    found = [*named, *ranked, *others]
    if operation is Operation.VISION:
        found = [offer for offer in found if offer.info.images]
    if operation is Operation.DATA_ANALYSE:
        found.sort(key=lambda offer: offer.info.price.input + offer.info.price.output)
    return found


def _first_of_each(offers: Sequence[Offer]) -> Sequence[Offer]:
    seen: dict[str, int] = {}
    first = []
    for offer in offers:
        seen[offer.info.provider] = seen.get(offer.info.provider, 0) + 1
        if seen[offer.info.provider] <= MOST_OF_ONE:
            first.append(offer)
    return first
