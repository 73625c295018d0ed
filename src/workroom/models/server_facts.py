"""Asks a model server what it knows of its models: how much they read, whether they call tools, see pictures, keep to schemas.

OpenAI's API has no place for this, so each kind of server says it at an address of its own, beside `/v1`. Whatever fails or
takes too long is left out: a server that says nothing is used as before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import quote

from workroom.core.errors import OutgoingRefused
from workroom.models.connection import Connection
from workroom.models.model_facts import combined, facts_of_listing, facts_of_lm_studio, facts_of_props, facts_of_show
from workroom.models.remote_models import MAX_BYTES, key_headers
from workroom.models.types import ModelFacts, ProviderKind
from workroom.net import GuardedClient
from workroom.net.errors import InvalidResponse, OutgoingFailed

SECONDS = 10.0  # for all of it: a person waits for the test of a connection
MOST_ASKED = 50  # models


async def server_facts(
    connection: Connection,
    client: GuardedClient,
    listed: Mapping[str, Mapping[str, Any]],
    *,
    seconds: float | None = None,
) -> Mapping[str, ModelFacts]:
    """By the names of the models that are used, or of all there are; none for those of which the server says nothing."""
    if connection.provider.kind is not ProviderKind.ENDPOINT:
        return {}
    names = [model.name for model in connection.provider.models] or list(listed)
    facts = {name: facts_of_listing(listed.get(name) or listed.get(f"{name}:latest") or {}) for name in names}
    pages = _Pages(connection, client)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds or SECONDS):
            if names and not _is_vllm(listed):
                await _complete(facts, names[:MOST_ASKED], (_LlamaCpp(pages), _Ollama(pages), _LmStudio(pages)))
    return {name: found for name, found in facts.items() if found != ModelFacts()}


async def _complete(facts: dict[str, ModelFacts], names: Sequence[str], kinds: Sequence[_Server]) -> None:
    """The first kind that can say something of the first model is asked about all of them."""
    for server in kinds:
        if (first := await server.facts(names[0])) is not None:
            facts[names[0]] = combined(facts[names[0]], first)
            for name in names[1:]:
                facts[name] = combined(facts[name], await server.facts(name))
            return


def _is_vllm(listed: Mapping[str, Mapping[str, Any]]) -> bool:
    """Its list says all it would say."""
    return any(entry.get("owned_by") == "vllm" for entry in listed.values())


class _Pages:
    """JSON of a server, at addresses beside the API it was entered with."""

    def __init__(self, connection: Connection, client: GuardedClient) -> None:
        self._root = connection.url.rstrip("/").removesuffix("/v1")
        self._headers = key_headers(connection)
        self._client = client

    async def get(self, path: str) -> Any:
        return await self._page("GET", path)

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return await self._page("POST", path, body)

    async def _page(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        try:
            answer = await self._client.request(
                method, self._root + path, headers=self._headers, json=body, timeout=SECONDS, max_bytes=MAX_BYTES
            )
            return answer.json() if answer.ok else None
        except (OutgoingFailed, OutgoingRefused, InvalidResponse):
            return None


class _Server(Protocol):
    async def facts(self, model: str) -> ModelFacts | None:
        """None when this is not such a server, or it does not know the model."""
        ...


class _LlamaCpp:
    def __init__(self, pages: _Pages) -> None:
        self._pages = pages

    async def facts(self, model: str) -> ModelFacts | None:
        # With several models it would load the one it is asked about, which may take minutes.
        return facts_of_props(await self._pages.get(f"/props?model={quote(model, safe='')}&autoload=false"))


class _Ollama:
    def __init__(self, pages: _Pages) -> None:
        self._pages = pages
        self._running: Mapping[str, Any] | None = None

    async def facts(self, model: str) -> ModelFacts | None:
        body = await self._pages.post("/api/show", {"model": model})
        if facts_of_show(body) is None:
            return None
        if self._running is None:
            self._running = _by_name(await self._pages.get("/api/ps"), "models", "name", "context_length")
        return facts_of_show(body, self._running.get(model, self._running.get(f"{model}:latest")))


class _LmStudio:
    def __init__(self, pages: _Pages) -> None:
        self._pages = pages
        self._entries: Mapping[str, Any] | None = None

    async def facts(self, model: str) -> ModelFacts | None:
        if self._entries is None:
            self._entries = _by_name(await self._pages.get("/api/v0/models"), "data", "id")
        entry = self._entries.get(model)
        return None if entry is None else facts_of_lm_studio(entry)


def _by_name(body: Any, items: str, name: str, value: str | None = None) -> Mapping[str, Any]:
    """Entries of a list in JSON, or one value of each, by name."""
    entries = body.get(items) if isinstance(body, dict) else None
    named = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return {
        entry[name]: entry if value is None else entry.get(value) for entry in named if isinstance(entry.get(name), str)
    }
