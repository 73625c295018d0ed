"""Ports of geocoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.geo.types import GeoPlace


class Geocoder(Protocol):
    async def geocode(self, query: str, language: str) -> Sequence[GeoPlace]:
        """Places that fit the query, best first: one when it is clear, several when the user has to choose, or none."""
        ...
