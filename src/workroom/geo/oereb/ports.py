"""Port of the cadastre of public-law restrictions on landownership (ÖREB)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from workroom.core.map_actions import Coord
from workroom.geo.types import Extract, Parcel


class Oereb(Protocol):
    async def parcels(self, coord: Coord, language: str = "de") -> Sequence[Parcel]:
        """What lies at a point: the parcel, and rights on it that are registered by themselves; none where nothing is known.
        Their names in this language as far as the cadastre has them."""
        ...

    async def extract(self, egrid: str, language: str) -> Extract | None:
        """Texts in this language as far as the cadastre has them; None when it knows no such parcel."""
        ...
