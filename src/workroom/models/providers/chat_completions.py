"""The library's model for OpenAI's Chat Completions API, on our HTTP client and with nothing taken from the environment."""

from __future__ import annotations

from urllib.parse import urlsplit

import openai
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from workroom.models.providers.headers import AGENT, NO_KEY, PLAIN
from workroom.models.providers.profiles import profile_of
from workroom.net import GuardedClient


class PlainClient(openai.AsyncOpenAI):
    """Headers are ours to choose: the library would add an organisation, a project and whatever else the environment names,
    whoever the provider is."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {**PLAIN}


def chat_model(name: str, base_url: str, api_key: str, client: GuardedClient, *, provider: str) -> OpenAIChatModel:
    sdk = PlainClient(
        base_url=base_url,
        api_key=api_key or NO_KEY,
        http_client=client.http_client(),
        max_retries=0,  # trying again is decided above, where it is counted and billed
    )
    profile = profile_of(name, first_party=is_openai(base_url))
    return OpenAIChatModel(
        name,
        provider=OpenAICompatibleProvider(provider, openai_client=sdk, profile=lambda _: profile),
        settings=ModelSettings(extra_headers={"User-Agent": AGENT}),
    )


def is_openai(base_url: str) -> bool:
    """OpenAI itself, its regional addresses included, or its models at Azure."""
    host = urlsplit(base_url).hostname or ""
    return host == "api.openai.com" or host.endswith((".api.openai.com", ".openai.azure.com"))
