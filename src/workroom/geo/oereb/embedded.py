"""Sample parcels with made-up restrictions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workroom.core.map_actions import Coord
from workroom.geo.sample.data import sample, translated
from workroom.geo.types import Extract, Parcel

REACH = 30.0  # metres around its point that belong to a sample parcel
DOCUMENT = "/api/geo/oereb/{egrid}/extract.pdf"


class EmbeddedOereb:
    async def parcels(self, coord: Coord, language: str = "de") -> Sequence[Parcel]:
        near = [parcel for parcel in sample().parcels if math.dist(coord, parcel.coord) <= REACH]
        return [
            Parcel(
                each.id,
                each.egrid,
                translated(each.name, language),
                each.coord,
                each.confidence,
                each.number,
                sample=True,
            )
            for each in sorted(near, key=lambda parcel: -parcel.confidence)
        ]

    async def extract(self, egrid: str, language: str) -> Extract | None:
        match = next((parcel for parcel in sample().parcels if parcel.egrid == egrid), None)
        if match is None:
            return None
        return Extract(
            egrid=egrid,
            number=match.number,
            kind=translated(sample().words["parcel"], language),
            municipality=match.municipality,
            canton=match.canton,
            area=match.area,
            coord=match.coord,
            authority=translated(sample().words["office"], language),
            url=DOCUMENT.format(egrid=egrid),
            themes=sample().themes_of(match, language),
            restrictions=sample().restrictions_of(match, language),
            sample=True,
        )
