"""An embedding model somewhere else: batches out, vectors back, tried again when that may help.

The wire formats of the APIs are in `wire_formats.py`, the checks of an answer in `vector_validation.py`, billing in `metered.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from workroom.core.errors import WorkroomError
from workroom.core.tokens import Usage
from workroom.core.waiting import wait_for
from workroom.models.connection import Connection
from workroom.models.embeddings.batches import batches, cut, expected_tokens, is_blank
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Vector
from workroom.models.embeddings.refusals import Refusals
from workroom.models.embeddings.wire_formats import EmbeddingWire
from workroom.models.ports import RETRY_PAUSES, ModelFailed
from workroom.models.provider_client import ProviderClient
from workroom.net import Response

LONGEST_PAUSE = 60.0
MOST_BILLED = 3  # tries that were answered, and with nothing usable: the provider counts them all the same
REQUEST_SECONDS = 300.0  # a server that loads its model first, or has no graphics card
MAX_BYTES = 64 * 1024 * 1024
OK = 200


class RemoteEmbedder:
    def __init__(
        self,
        info: EmbedderInfo,
        wire: EmbeddingWire,
        connection: Connection,
        provider: ProviderClient,
        pauses: Sequence[float] = RETRY_PAUSES,
    ) -> None:
        self.info = info
        self._wire = wire
        self._url = connection.url.rstrip("/")
        self._provider = provider
        self._pauses = pauses
        self._refusals = Refusals(connection.provider.label, info.id, connection.key)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        vectors: list[Vector] = []
        used, assumed = Usage(), False
        for batch in batches([text for text in texts if not is_blank(text)], self.info):
            got = await self._patiently([cut(text, self.info) for text in batch], query=query)
            vectors += got.vectors
            used, assumed = used + got.usage, assumed or got.assumed
        if len(vectors) < len(texts):
            zero = await asyncio.to_thread(_zero, self.info.dimensions)
            found = iter(vectors)
            vectors = [zero if is_blank(text) else next(found) for text in texts]
        return Embeddings(vectors, used, assumed)

    async def _patiently(self, texts: Sequence[str], *, query: bool) -> Embeddings:
        """What tries before it used is part of what an answer used, and of what a failure did."""
        lost, billed = Usage(), 0
        for pause in (*self._pauses, None):
            try:
                got = await self._once(texts, query=query)
                return replace(got, usage=got.usage + lost, assumed=got.assumed or billed > 0)
            except ModelFailed as failure:
                billed += failure.used != Usage()
                failure.used = lost = lost + failure.used
                hopeless = not failure.again or (failure.after or 0) > LONGEST_PAUSE
                if pause is None or hopeless or billed >= MOST_BILLED:
                    raise
                await wait_for(asyncio.Event(), max(pause, failure.after or 0))
        raise AssertionError("the last try raises or returns")

    async def _once(self, texts: Sequence[str], *, query: bool) -> Embeddings:
        answer = await self._asked(texts, query=query)
        if not answer.ok:
            raise self._refusals.answered(answer)
        try:
            vectors, tokens = await asyncio.to_thread(self._received, answer.body, len(texts))
        except ModelFailed as failure:
            failure.used = Usage(input_tokens=expected_tokens(texts, self.info))
            raise
        used = expected_tokens(texts, self.info) if tokens is None else tokens
        return Embeddings(vectors, Usage(input_tokens=used), assumed=tokens is None)

    async def _asked(self, texts: Sequence[str], *, query: bool) -> Response:
        order = self._wire.order(texts, query=query)
        used = Usage()
        try:
            async with (
                self._provider.client() as client,
                client.stream(
                    "POST",
                    self._url + order.path,
                    headers=order.headers,
                    json=order.body,
                    timeout=REQUEST_SECONDS,
                    max_bytes=MAX_BYTES,
                ) as answer,
            ):
                if answer.status == OK:
                    used = Usage(input_tokens=expected_tokens(texts, self.info))
                return await answer.read()
        except WorkroomError as error:
            raise self._refusals.on_the_way(error, used) from None

    def _received(self, body: bytes, count: int) -> tuple[list[Vector], int | None]:
        from workroom.models.embeddings.vector_validation import received  # with it comes numpy

        return received(body, self._wire, count, self.info.dimensions or None, self.info.id)


def _zero(dimensions: int) -> Vector:
    import numpy as np

    return np.zeros(dimensions, np.float32)
