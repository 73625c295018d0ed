"""Ports of the search for map layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.geo.types import MapLayer


class LayerSearch(Protocol):
    async def search(self, query: str, language: str | None) -> Sequence[MapLayer]:
        """Layers that fit the query, best first: one when its name fits, several when they only resemble it. Without a
        language, labels are in the language of the query, as far as that can be told."""
        ...
