"""The HTTP client of a provider, opened by the first call and closed after the last one.

A change of the configuration retires the client. Answers that are under way go on over it; the last one closes it. A model
that is still held from before may be called even then: the client is opened again for that one call.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

from workroom.models.output_limit import bounded
from workroom.models.ports import Model, ModelInfo, ModelRequest, StreamItem
from workroom.models.repetition_limit import without_repetition
from workroom.net import GuardedClient


class ProviderClient:
    def __init__(self, open_client: Callable[[], GuardedClient]) -> None:
        self._open = open_client
        self._client: GuardedClient | None = None
        self._calls = 0
        self._retired = False

    @asynccontextmanager
    async def client(self) -> AsyncIterator[GuardedClient]:
        if self._client is None:
            self._client = self._open()
        self._calls += 1
        try:
            yield self._client
        finally:
            self._calls -= 1
            await self._close_if_unused()

    async def retire(self) -> None:
        self._retired = True
        await self._close_if_unused()

    async def _close_if_unused(self) -> None:
        if self._retired and not self._calls and self._client is not None:
            client, self._client = self._client, None
            await client.aclose()


class ProviderModel:
    """A model that is called through the client of its provider."""

    def __init__(self, info: ModelInfo, provider: ProviderClient, make: Callable[[GuardedClient], Model]) -> None:
        self.info = info
        self._provider = provider
        self._make = make
        self._made: tuple[GuardedClient, Model] | None = None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        most = request.max_output_tokens or self.info.output_tokens
        async with self._provider.client() as client:
            if self._made is None or self._made[0] is not client:
                self._made = client, self._make(client)
            answer = without_repetition(self._made[1].stream(request), self.info)
            async with aclosing(bounded(answer, most, self.info.id)) as items:
                async for item in items:
                    yield item
