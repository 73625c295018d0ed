"""From an offer to a model one can ask: the only place that knows which adapter belongs to which kind of provider."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from workroom.models.connection import Connection
from workroom.models.embedded import EmbeddedModel
from workroom.models.offers import Offer
from workroom.models.ports import Model, PrivateForbidden
from workroom.models.provider_client import ProviderClient, ProviderModel
from workroom.models.providers import anthropic, google, openai_compatible
from workroom.models.providers.anthropic import AnthropicModel
from workroom.models.providers.google import GoogleModel
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.providers.structured_model import StructuredModel
from workroom.models.providers.text_protocol import TextToolModel
from workroom.models.providers.written_call_model import WrittenCallModel
from workroom.models.silence_limit import SILENCE_SECONDS, SilenceLimitedModel
from workroom.models.types import ProviderKind
from workroom.net import GuardedClient
from workroom.net.limits import DEFAULT_LIMITS

ANSWER_SECONDS = 1800.0
LIMITS = replace(DEFAULT_LIMITS, read_seconds=SILENCE_SECONDS, total_seconds=ANSWER_SECONDS)
# A server without a graphics card reads 20 to 100 tokens a second: a question of 30,000 takes up to 25 minutes, and the
# longest answer as long again.
FIRST_WORD_SECONDS = 1800.0
OWN_SERVER_LIMITS = replace(DEFAULT_LIMITS, read_seconds=FIRST_WORD_SECONDS, total_seconds=2 * FIRST_WORD_SECONDS)


def preload(connections: Iterable[Connection]) -> None:
    """Load what these will need. Takes a second for each kind, so it is done while a process starts, off its loop."""
    loaders = {
        ProviderKind.ANTHROPIC: anthropic.preload,
        ProviderKind.GOOGLE: google.preload,
        ProviderKind.OPENAI: openai_compatible.preload,
        ProviderKind.ENDPOINT: openai_compatible.preload,
    }
    for kind in {connection.provider.kind for connection in connections}:
        loaders[kind]()


def client_for(connection: Connection) -> ProviderClient:
    return ProviderClient(lambda: _open_client(connection))


def _open_client(connection: Connection) -> GuardedClient:
    if connection.forbidden:
        raise PrivateForbidden
    limits = OWN_SERVER_LIMITS if connection.own_server else LIMITS
    return GuardedClient(allowed_private=connection.allowed_private, limits=limits)


def model_of(offer: Offer, client: ProviderClient) -> Model:
    return ProviderModel(offer.info, client, lambda http: _speaking(offer, http))


def _speaking(offer: Offer, client: GuardedClient) -> Model:
    """The adapter, for a model that knows no function calling the text protocol around it, for one whose server keeps to schemas
    what forces calls that way, and for those of endpoints what reads calls that were written as text."""
    model = _adapter(offer, client)
    if offer.connection.own_server:
        model = SilenceLimitedModel(model)
    if not offer.info.tools:
        model = TextToolModel(model)
    if offer.info.structured:
        model = StructuredModel(model)
    return WrittenCallModel(model) if offer.connection.provider.kind is ProviderKind.ENDPOINT else model


def _adapter(offer: Offer, client: GuardedClient) -> Model:
    connection = offer.connection
    match connection.provider.kind:
        case ProviderKind.ANTHROPIC:
            return AnthropicModel(offer.info, connection.key, client, connection.url)
        case ProviderKind.GOOGLE:
            return GoogleModel(offer.info, connection.key, client, connection.url)
        case ProviderKind.OPENAI | ProviderKind.ENDPOINT:
            return OpenAiCompatibleModel(offer.info, connection.url, connection.key, client)


def embedded() -> Model:
    """What answers when there is no language model at all."""
    return EmbeddedModel()
