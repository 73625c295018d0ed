"""Which model an evaluation asks: one at an address, or one that the environment offers to the product, by the name it has
there. All evaluations take the same arguments for it."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from workroom.core.clock import now
from workroom.core.errors import ConfigurationError
from workroom.models.catalogue import shipped
from workroom.models.configuration import Configuration
from workroom.models.connection import Connection, named_origin
from workroom.models.environment import OWN_SERVER, from_environment
from workroom.models.model_factory import client_for, model_of
from workroom.models.offers import Offer, offers
from workroom.models.ports import Model
from workroom.models.provider_input import checked_key
from workroom.models.types import Choices, OwnModel, Provider, ProviderKind
from workroom.settings import Settings


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", help="of a server that speaks OpenAI's Chat Completions API")
    parser.add_argument("--model", required=True, help="its name there; without --url: provider/model")
    parser.add_argument("--key-from", metavar="ENV", help="the variable that holds the key, with --url")


def chosen_offer(arguments: argparse.Namespace, environment: Mapping[str, str]) -> Offer:
    """The model that the arguments name; ConfigurationError if there is none."""
    if arguments.url is None:
        return of(Settings.load(), arguments.model)
    return at(arguments.url, arguments.model, key_from(arguments.key_from, environment))


def at(url: str, model: str, key: str = "") -> Offer:
    """Any server that speaks OpenAI's Chat Completions API. Whoever names an address allows it."""
    provider = Provider(OWN_SERVER, ProviderKind.ENDPOINT, OWN_SERVER, url, models=(OwnModel(model),))
    connection = Connection(provider, url.rstrip("/"), checked_key(key), named_origin("--url", url))
    return _offered([connection])[f"{OWN_SERVER}/{model}"]


def of(settings: Settings, ref: str) -> Offer:
    """`provider/model`, with the keys and addresses of the environment."""
    there = _offered(from_environment(settings))
    if ref not in there:
        known = ", ".join(there) or "none: set a provider's key, or give --url"
        raise ConfigurationError(f"The environment offers no model {ref}. It offers {known}.")
    return there[ref]


@asynccontextmanager
async def opened(offer: Offer) -> AsyncIterator[Model]:
    client = client_for(offer.connection)
    try:
        yield model_of(offer, client)
    finally:
        await client.retire()


def key_from(name: str | None, environment: Mapping[str, str]) -> str:
    if name is None:
        return ""
    if not environment.get(name):
        raise ConfigurationError(f"There is no variable {name} in the environment, or it is empty.")
    return environment[name]


def _offered(connections: Sequence[Connection]) -> Mapping[str, Offer]:
    return offers(Configuration(shipped(), Choices(), connections), now().date())
