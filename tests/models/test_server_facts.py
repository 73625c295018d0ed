"""Each kind of server is asked in its own words what it knows of its models; whatever fails changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from workroom.models import server_facts as asking
from workroom.models.connection import Connection
from workroom.models.remote_models import listed_models
from workroom.models.server_facts import server_facts
from workroom.models.testing import ScriptedProvider
from workroom.models.testing.requests import ReceivedRequest
from workroom.models.types import ModelFacts, OwnModel, Provider, ProviderKind
from workroom.net import GuardedClient

PROPS = {"default_generation_settings": {"n_ctx": 8192}, "chat_template_caps": {"supports_tools": False}}
SHOW = {"model_info": {"llama.context_length": 131_072}, "capabilities": ["completion", "vision"], "parameters": ""}
RUNNING = {"models": [{"name": "scripted:latest", "context_length": 32_768}]}
LM_STUDIO = {"data": [{"id": "scripted", "type": "llm", "loaded_context_length": 16_384}]}
VLLM = {"data": [{"id": "scripted", "owned_by": "vllm", "max_model_len": 65_536}]}


async def told(
    pages: Mapping[str, Any], *names: str, kind: ProviderKind = ProviderKind.ENDPOINT
) -> Mapping[str, ModelFacts]:
    async with ScriptedProvider(pages=pages) as server:
        provider = Provider("own", kind, "Own", server.base_url, tuple(OwnModel(name) for name in names))
        connection = Connection(provider, server.base_url, "key")
        client = GuardedClient(allowed_private=frozenset({server.origin}))
        try:
            return await server_facts(connection, client, await listed_models(connection, client))
        finally:
            await client.aclose()


@pytest.mark.parametrize(
    ("pages", "facts"),
    [
        ({"/props": PROPS}, ModelFacts(8192, tools=False, structured=True)),
        ({"/api/show": SHOW}, ModelFacts(4096, tools=False, images=True, structured=True)),
        ({"/api/show": SHOW, "/api/ps": RUNNING}, ModelFacts(32_768, tools=False, images=True, structured=True)),
        ({"/api/v0/models": LM_STUDIO}, ModelFacts(16_384, images=False, structured=True)),
        ({"/v1/models": VLLM}, ModelFacts(65_536, structured=True)),
    ],
    ids=["llama.cpp", "Ollama", "Ollama, loaded", "LM Studio", "vLLM"],
)
async def test_a_server_is_asked_in_its_own_words(pages: Mapping[str, Any], facts: ModelFacts) -> None:
    assert await told(pages) == {"scripted": facts}
    assert await told(pages, "scripted") == {"scripted": facts}


async def test_each_model_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(request: ReceivedRequest) -> Any:
        small = request.body["model"] == "small"
        return SHOW | {"parameters": "num_ctx 2048" if small else "num_ctx 9000"}

    found = await told({"/api/show": shown}, "small", "large")
    assert {name: facts.context_tokens for name, facts in found.items()} == {"small": 2048, "large": 9000}
    monkeypatch.setattr(asking, "MOST_ASKED", 1)
    assert list(await told({"/api/show": shown}, "small", "large")) == ["small"]


@pytest.mark.parametrize(
    "page", [None, "no", [], 3, {"default_generation_settings": 3}, {"model_info": []}, {"data": 1}]
)
async def test_what_makes_no_sense_changes_nothing(page: Any) -> None:
    assert await told(dict.fromkeys(("/props", "/api/show", "/api/ps", "/api/v0/models"), page)) == {}


async def test_a_server_that_says_nothing_changes_nothing() -> None:
    assert await told({}) == {}


async def test_known_providers_are_not_asked() -> None:
    assert await told({"/props": PROPS}, "scripted", kind=ProviderKind.OPENAI) == {}


async def test_a_server_that_takes_its_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what was said until then."""
    monkeypatch.setattr(asking, "SECONDS", 0.05)

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asking._Pages, "_page", never)
    assert await told({"/v1/models": {"data": [{"id": "scripted", "context_length": 9000}]}}) == {
        "scripted": ModelFacts(9000)
    }
