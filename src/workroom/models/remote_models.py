"""Asking a provider which models it has: that is how a connection is tested, and how local servers are recognised."""

from __future__ import annotations

from typing import Any

from workroom.core.errors import Conflict
from workroom.models.connection import Connection
from workroom.models.types import ProviderKind
from workroom.net import GuardedClient

MAX_BYTES = 2_000_000
SECONDS = 15.0
ANTHROPIC_VERSION = "2023-06-01"


async def remote_models(connection: Connection, client: GuardedClient, *, seconds: float = SECONDS) -> list[str]:
    """Names, in the order given. Raises what `net` raises, and Conflict for an answer that is none."""
    path, headers = _request(connection)
    answer = await client.request(
        "GET", connection.url.rstrip("/") + path, headers=headers, timeout=seconds, max_bytes=MAX_BYTES
    )
    if answer.status in (401, 403):
        raise Conflict(f"{connection.provider.label} refuses this key. Enter another one.", code="keyRefused")
    names = _names(answer.json()) if answer.ok else None
    if names is None:
        raise Conflict(
            f"{connection.provider.label} answers with status {answer.status}, but not with a list of models. Look whether "
            "the address is complete: most end in /v1.",
            code="noModelList",
        )
    return names


def _request(connection: Connection) -> tuple[str, dict[str, str]]:
    match connection.provider.kind:
        case ProviderKind.ANTHROPIC:
            return "/v1/models?limit=1000", {"x-api-key": connection.key, "anthropic-version": ANTHROPIC_VERSION}
        case ProviderKind.GOOGLE:
            return "/v1beta/models?pageSize=1000", {"x-goog-api-key": connection.key}
        case ProviderKind.OPENAI | ProviderKind.ENDPOINT:
            return "/models", {"Authorization": f"Bearer {connection.key}"} if connection.key else {}


def _names(body: Any) -> list[str] | None:
    """`data[].id` (OpenAI, Anthropic) or `models[].name` (Google)."""
    if not isinstance(body, dict):
        return None
    for items, name in (("data", "id"), ("models", "name")):
        found = body.get(items)
        if isinstance(found, list):
            texts = [item.get(name) for item in found if isinstance(item, dict)]
            return [text.removeprefix("models/") for text in texts if isinstance(text, str)]
    return None
