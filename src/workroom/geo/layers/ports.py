"""Whoever knows which layers a map can show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.geo.types import MapLayer


class LayerSearch(Protocol):
    async def search(self, query: str, language: str | None) -> Sequence[MapLayer]:
        """The best first; one when its name fits, several when they only resemble it. Without a language, labels are in
        the one that was asked in, as far as that can be told."""
        ...
