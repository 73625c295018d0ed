"""How long a model may say nothing. One of an own server may read for much longer before its first
word, but not fall silent later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from workroom.models.ports import Answer, Model, ModelFailed, ModelInfo, ModelRequest, StreamItem

SILENCE_SECONDS = 240.0  # a model that is being loaded, or one that thinks, says nothing for long


@dataclass(frozen=True)
class SilenceLimitedModel:
    """Around a model whose client waits for the first word: from then on a silence is a failure."""

    inner: Model

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        seconds: float | None = None
        async with aclosing(self.inner.stream(request)) as stream:
            while True:
                try:
                    async with asyncio.timeout(seconds):
                        item = await anext(stream, None)
                except TimeoutError:
                    raise self._silent() from None
                if item is None:
                    return
                yield item
                if isinstance(item, Answer):
                    return
                seconds = SILENCE_SECONDS

    def _silent(self) -> ModelFailed:
        text = f"{self.info.id} fell silent in the middle of its answer. Try again later."
        details = {"provider": self.info.provider, "model": self.info.id}
        return ModelFailed(text, again=True, code="modelTimedOut", details=details)
