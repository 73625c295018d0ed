"""Reuses the vectors of unchanged chunks when a file is chunked again: each moves to its chunk's new number.

A page more in the middle shifts all that follows, and that is not paid for again. What stands in the way of others waits aside
until its turn comes, or until all is cut and it was not asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.knowledge.store import vectors


class KeptVectors:
    """`before`: what the passages said until now, by their numbers."""

    def __init__(self, before: Mapping[int, str]) -> None:
        self._before = dict(before)
        self._numbers: defaultdict[str, dict[int, None]] = defaultdict(dict)  # which still have their vectors
        for number in sorted(before):
            self._numbers[before[number]][number] = None

    async def move(self, uow: UnitOfWork, mandate_id: UUID, file_id: UUID, start: int, digests: Sequence[str]) -> None:
        """Passages from number `start` on say this."""
        end = start + len(digests)
        staying = [
            n for n, digest in enumerate(digests, start) if self._before.get(n) == digest and self._take(digest, n)
        ]
        stayed = set(staying)
        moved = {
            before: n
            for n, digest in enumerate(digests, start)
            if n not in stayed and (before := self._first(digest)) is not None
        }
        await vectors.set_aside(uow, mandate_id, file_id, start, end, but=staying)
        if moved:
            places = [before if before >= end else before + vectors.ASIDE for before in moved]
            await vectors.renumber(uow, mandate_id, file_id, places, list(moved.values()))

    def _take(self, digest: str, number: int) -> bool:
        if number not in self._numbers[digest]:
            return False
        del self._numbers[digest][number]
        return True

    def _first(self, digest: str) -> int | None:
        number = next(iter(self._numbers.get(digest, ())), None)
        if number is not None:
            self._take(digest, number)
        return number
