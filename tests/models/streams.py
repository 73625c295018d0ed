"""A model's stream without a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from workroom.models.ports import StreamItem


class Stream:
    """Says these, and knows whether it was closed before its end."""

    def __init__(self, said: Sequence[StreamItem]) -> None:
        self.said = said
        self.taken = 0
        self.closed = False

    async def __call__(self) -> AsyncGenerator[StreamItem, None]:
        try:
            for item in self.said:
                self.taken += 1
                yield item
        finally:
            self.closed = True
