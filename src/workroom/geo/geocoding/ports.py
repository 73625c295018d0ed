"""Whoever knows where things are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.geo.types import GeoPlace


class Geocoder(Protocol):
    async def geocode(self, query: str, language: str) -> Sequence[GeoPlace]:
        """The best first; one when there is nothing to ask, several when there is, none when nothing fits."""
        ...
