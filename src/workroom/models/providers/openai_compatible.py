"""OpenAI, and every endpoint that speaks its Chat Completions API: vLLM, llama.cpp, Ollama, LM Studio, gateways.

Cheap to import and to make. The library behind it is loaded by the first call, off the event loop; even so it holds the
interpreter for about a tenth of a second, so a process that will need it calls `preload` while it starts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from workroom.models.ports import Answer, ModelFailed, ModelInfo, ModelRequest, TextDelta
from workroom.net import GuardedClient
from workroom.net.errors import UrlRefused
from workroom.net.urls import parse_url

if TYPE_CHECKING:
    from workroom.models.providers.adapter import Adapter


class OpenAiCompatibleModel:
    """`info.id` is the model's name at the endpoint. The client's limits say how long a silence may last.

    Nothing here needs closing: connections belong to the client.
    """

    def __init__(self, info: ModelInfo, base_url: str, api_key: str, client: GuardedClient) -> None:
        self.info = info
        self._base_url = base_url
        self._api_key = api_key
        self._client = client
        self._adapter: Adapter | None = None
        self._connecting = asyncio.Lock()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        async with self._connecting:
            if self._adapter is None:
                self._adapter = await self._connected()
        answer = self._adapter.stream(request)
        try:
            async for said in answer:
                yield said
        finally:
            await answer.aclose()

    async def _connected(self) -> Adapter:
        try:
            return await asyncio.to_thread(self._connect)
        except UrlRefused as error:
            text = f"The model {self.info.id} cannot be reached. {error.message} Check it in the settings."
            raise ModelFailed(text, again=False) from None

    def _connect(self) -> Adapter:
        from workroom.models.providers.adapter import Adapter
        from workroom.models.providers.chat_completions import chat_model
        from workroom.models.providers.failures import Failures
        from workroom.models.providers.opaque import Identity

        provider = str(parse_url(self._base_url).origin)  # all that a message may say of it
        return Adapter(
            chat_model(self.info.id, self._base_url, self._api_key, self._client, provider=provider),
            Identity(provider, self.info.id),
            Failures(provider, self.info.id, self._api_key),
        )


def preload() -> None:
    from workroom.models.providers import adapter, chat_completions  # noqa: F401
