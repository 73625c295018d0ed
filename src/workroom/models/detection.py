"""Looks for model servers on this machine, at the ports where the usual ones listen. Only when asked to.

Its client may open exactly these addresses. Finding a server is not using it: an administrator adds it with one request.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workroom.core.errors import WorkroomError
from workroom.models.connection import Connection
from workroom.models.model_names import chat_models_first
from workroom.models.remote_models import listed_models
from workroom.models.server_facts import server_facts
from workroom.models.types import ModelFacts, OwnModel, Provider, ProviderKind
from workroom.net import GuardedClient, Origin
from workroom.net.limits import DEFAULT_LIMITS

log = logging.getLogger(__name__)

SECONDS = 1.0
FACTS_SECONDS = 3.0  # for what a server that answers says of its models


@dataclass(frozen=True)
class ServerPort:
    """Where a kind of server usually listens."""

    name: str
    label: str
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


USUAL = (
    ServerPort("ollama", "Ollama", 11434),
    ServerPort("lm-studio", "LM Studio", 1234),
    ServerPort("llama-cpp", "llama.cpp", 8080),
    ServerPort("vllm", "vLLM", 8000),
)


@dataclass(frozen=True)
class DetectedServer:
    name: str
    label: str
    base_url: str
    models: Sequence[OwnModel]  # with what the server says of them, those that talk first


async def detect(places: Sequence[ServerPort] = USUAL) -> list[DetectedServer]:
    """What answers within a second, all asked at once, and what it says of its models."""
    allowed = frozenset(Origin.parse(f"http://127.0.0.1:{place.port}") for place in places)
    client = GuardedClient(allowed_private=allowed, limits=replace(DEFAULT_LIMITS, connect_seconds=SECONDS))
    try:
        found = await asyncio.gather(*(_look(place, client) for place in places))
    finally:
        await client.aclose()
    return [server for server in found if server is not None]


async def _look(place: ServerPort, client: GuardedClient) -> DetectedServer | None:
    provider = Provider(place.name, ProviderKind.ENDPOINT, place.label, place.url)
    connection = Connection(provider, place.url)
    try:
        listed = await listed_models(connection, client, seconds=SECONDS)
    except WorkroomError as error:  # no server there, or another one: both are the usual case
        log.debug("no model server", extra={"place": place.label, "reason": error.message})
        return None
    facts = await server_facts(connection, client, listed, seconds=FACTS_SECONDS)
    models = [OwnModel(name).told(facts.get(name, ModelFacts())) for name in chat_models_first(listed)]
    return DetectedServer(place.name, place.label, place.url, models)
