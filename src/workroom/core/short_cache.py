"""Keeps values that are read again and again for a short while, and forgets them as soon as they change. What was being read
while it changed is given back, and not kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID

from workroom.core.clock import now

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass
class _Kept(Generic[K, V]):
    """The values of one mandate. `changes` counts what was forgotten."""

    values: dict[K, tuple[datetime, V]] = field(default_factory=dict)
    changes: int = 0


class ShortCache(Generic[K, V]):
    """By mandate and key. `most`: of one mandate."""

    def __init__(self, kept_for: timedelta, most: int) -> None:
        self._kept_for, self._most = kept_for, most
        self._mandates: defaultdict[UUID, _Kept[K, V]] = defaultdict(_Kept)

    async def get(self, mandate_id: UUID, key: K, read: Callable[[], Awaitable[V]]) -> V:
        kept, moment = self._mandates[mandate_id], now()
        if (known := kept.values.get(key)) is not None and timedelta() <= moment - known[0] < self._kept_for:
            return known[1]
        before = kept.changes
        value = await read()
        if kept.changes == before:
            if len(kept.values) >= self._most:
                kept.values.clear()
            kept.values[key] = moment, value
        return value

    def forget(self, mandate_id: UUID, concerns: Callable[[K], bool]) -> None:
        """The keys that a change concerns."""
        kept = self._mandates[mandate_id]
        kept.changes += 1
        for key in [key for key in kept.values if concerns(key)]:
            del kept.values[key]

    def forget_all(self) -> None:
        for mandate_id in self._mandates:
            self.forget(mandate_id, lambda _: True)
