"""An embedding model somewhere else: batches out, vectors back, tried again when that may help.

What an API wants to hear is in `wires.py`, what an answer must be in `checking.py`, and who pays is in `metered.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from workroom.core.errors import WorkroomError
from workroom.core.tokens import Usage
from workroom.core.waiting import wait_for
from workroom.models.connection import Connection
from workroom.models.embeddings.batches import batches, cut, expected_tokens, is_blank
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings, Vector
from workroom.models.embeddings.refusals import Refusals
from workroom.models.embeddings.wires import Wire
from workroom.models.line import Line
from workroom.models.ports import ModelFailed
from workroom.net import Response

PAUSES = (1.0, 2.0, 4.0)  # seconds before the second, third and fourth try
LONGEST_PAUSE = 60.0
REQUEST_SECONDS = 300.0  # a server that loads its model first, or has no graphics card
MAX_BYTES = 64 * 1024 * 1024


class RemoteEmbedder:
    def __init__(
        self, info: EmbedderInfo, wire: Wire, connection: Connection, line: Line, pauses: Sequence[float] = PAUSES
    ) -> None:
        self.info = info
        self._wire = wire
        self._url = connection.url.rstrip("/")
        self._line = line
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
        for pause in (*self._pauses, None):
            try:
                return await self._once(texts, query=query)
            except ModelFailed as failure:
                if pause is None or not failure.again or (failure.after or 0) > LONGEST_PAUSE:
                    raise
                await wait_for(asyncio.Event(), max(pause, failure.after or 0))
        raise AssertionError("the last try raises or returns")

    async def _once(self, texts: Sequence[str], *, query: bool) -> Embeddings:
        answer = await self._asked(texts, query=query)
        if not answer.ok:
            raise self._refusals.answered(answer)
        vectors, tokens = await asyncio.to_thread(self._received, answer.body, len(texts))
        used = expected_tokens(texts, self.info) if tokens is None else tokens
        return Embeddings(vectors, Usage(input_tokens=used), assumed=tokens is None)

    async def _asked(self, texts: Sequence[str], *, query: bool) -> Response:
        order = self._wire.order(texts, query=query)
        try:
            async with self._line.client() as client:
                return await client.request(
                    "POST",
                    self._url + order.path,
                    headers=order.headers,
                    json=order.body,
                    timeout=REQUEST_SECONDS,
                    max_bytes=MAX_BYTES,
                )
        except WorkroomError as error:
            raise self._refusals.on_the_way(error) from None

    def _received(self, body: bytes, count: int) -> tuple[list[Vector], int | None]:
        from workroom.models.embeddings.checking import received  # with it comes numpy

        return received(body, self._wire, count, self.info.dimensions or None, self.info.id)


def _zero(dimensions: int) -> Vector:
    import numpy as np

    return np.zeros(dimensions, np.float32)
