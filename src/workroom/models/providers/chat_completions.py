"""The library's model for OpenAI's Chat Completions API, on our HTTP client and with nothing taken from the environment."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from workroom.models.output_limit import stream_limits
from workroom.models.ports import ModelInfo
from workroom.models.providers.headers import NO_KEY, only
from workroom.models.providers.lenient_answers import completed_answer
from workroom.models.providers.plain_chunks import plain_chunk
from workroom.models.providers.profiles import profile_of
from workroom.net import GuardedClient


class QuickClient(openai.AsyncOpenAI):
    """The SDK, except for the one thing it is asked to do hundreds of times per answer, and about what servers leave out."""

    def _process_response_data(self, *, data: object, cast_to: Any, response: Any) -> Any:
        if cast_to is ChatCompletionChunk:
            data = completed_answer(data, "chat.completion.chunk")
            if (plain := plain_chunk(data)) is not None:
                return plain
        elif cast_to is ChatCompletion:
            data = completed_answer(data, "chat.completion")
        return super()._process_response_data(data=data, cast_to=cast_to, response=response)


def chat_model(
    info: ModelInfo, base_url: str, api_key: str, client: GuardedClient, *, provider: str
) -> OpenAIChatModel:
    http = client.http_client(stream_limits(info))
    sdk = QuickClient(
        base_url=base_url,
        api_key=api_key or NO_KEY,
        http_client=http,
        max_retries=0,  # trying again is decided above, where it is counted and billed
    )
    http.event_hooks = {"request": [only({"Authorization": f"Bearer {api_key or NO_KEY}"})]}
    profile = profile_of(info.id, first_party=is_openai(base_url))
    return OpenAIChatModel(
        info.id, provider=OpenAICompatibleProvider(provider, openai_client=sdk, profile=lambda _: profile)
    )


def is_openai(base_url: str) -> bool:
    """OpenAI itself, its regional addresses included, or its models at Azure."""
    host = urlsplit(base_url).hostname or ""
    return host == "api.openai.com" or host.endswith((".api.openai.com", ".openai.azure.com"))
