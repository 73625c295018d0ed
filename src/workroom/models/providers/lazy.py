"""A model whose library is loaded by the first call, off the event loop: cheap to import and to make.

Even so the loading holds the interpreter for about a tenth of a second, so a process that will need it calls `preload` of
its provider while it starts. What differs between providers is the library's model; each provides its own.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from workroom.models.ports import ModelFailed, ModelInfo, ModelRequest, StreamItem
from workroom.net import GuardedClient
from workroom.net.errors import UrlRefused
from workroom.net.urls import parse_url

if TYPE_CHECKING:
    from pydantic_ai.models import Model as LibraryModel

    from workroom.models.providers.adapter import Adapter


class LazyModel(ABC):
    """`info.id` is the model's name at the provider. The client's limits say how long a silence may last.

    Nothing here needs closing: connections belong to the client.
    """

    def __init__(self, info: ModelInfo, base_url: str, api_key: str, client: GuardedClient) -> None:
        self.info = info
        self._base_url = base_url
        self._api_key = api_key
        self._client = client
        self._adapter: Adapter | None = None
        self._connecting = asyncio.Lock()

    @abstractmethod
    def _library_model(self, provider: str) -> LibraryModel[Any]:
        """The library's model, made in a thread. `provider` is the origin of its address."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
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
        from workroom.models.providers.failures import Failures
        from workroom.models.providers.opaque import ProviderIdentity

        provider = str(parse_url(self._base_url).origin)  # all that a message may say of it
        return Adapter(
            self._library_model(provider),
            ProviderIdentity(provider, self.info.id),
            Failures(provider, self.info.id, self._api_key, self.info.provider),
        )
