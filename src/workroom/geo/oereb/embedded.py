"""Sample parcels with made-up restrictions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workroom.core.map_actions import Coord
from workroom.geo.sample.data import CADASTRE, sample
from workroom.geo.types import Extract, Parcel

REACH = 30.0  # metres around its point that belong to a sample parcel
DOCUMENT = "/api/geo/oereb/{egrid}/extract.pdf"


class EmbeddedOereb:
    async def parcels(self, coord: Coord) -> Sequence[Parcel]:
        near = [parcel for parcel in sample().parcels if math.dist(coord, parcel.coord) <= REACH]
        return [
            Parcel(found.id, found.egrid, found.name, found.coord, found.confidence, found.number, sample=True)
            for found in sorted(near, key=lambda parcel: -parcel.confidence)
        ]

    async def extract(self, egrid: str, language: str) -> Extract | None:
        found = next((parcel for parcel in sample().parcels if parcel.egrid == egrid), None)
        if found is None:
            return None
        return Extract(
            egrid=egrid,
            number=found.number,
            kind="Liegenschaft",
            municipality=found.municipality,
            canton=found.canton,
            area=found.area,
            coord=found.coord,
            authority=CADASTRE,
            url=DOCUMENT.format(egrid=egrid),
            themes=sample().themes_of(found),
            restrictions=list(found.restrictions),
            sample=True,
        )
