"""Swiss coordinates: LV95 (EPSG:2056), which everything here uses, and what people write instead of it.

The formulas are swisstopo's published approximation ("Näherungslösungen für die direkte Transformation CH1903 ⇔ WGS84");
it is good to about a metre within Switzerland, which is enough to find a house and not enough to survey one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from workroom.core.map_actions import Coord
from workroom.geo.errors import CoordinateOutside

System = Literal["EPSG:2056", "EPSG:21781", "EPSG:4326"]
Span = tuple[float, float]

# Switzerland with a few kilometres around it, for clicks just beside the border.
EASTING: Span = (2_480_000.0, 2_840_000.0)
NORTHING: Span = (1_070_000.0, 1_300_000.0)
LONGITUDE: Span = (5.85, 10.6)
LATITUDE: Span = (45.75, 47.9)
SHIFT_EAST, SHIFT_NORTH = 2_000_000.0, 1_000_000.0  # from LV03 to LV95, but for at most three metres

POLE, DATE_LINE = 90.0, 180.0
DEGREES = 1_000.0  # below that, numbers are meant as degrees: metres have more digits

OUT_OF_RANGE = (
    "This is not a coordinate: latitude goes from -90 to 90 (46 to 48 in Switzerland), longitude from -180 to 180 (6 to 11)."
    " One in Switzerland looks like 2600000 / 1200000 (LV95: easting, northing) or 7.4386 / 46.9511 (longitude, latitude)."
)
OUTSIDE = (
    "This is not a coordinate in Switzerland. One looks like 2600000 / 1200000 (LV95: easting, northing), 600000 / 200000"
    " (LV03) or 7.4386 / 46.9511 (longitude, latitude)."
)


_DECIMAL = r"-?\d{1,9}(?:\.\d{1,15})?"
_PAIR = re.compile(rf"(?P<before>[^\d-]*)(?P<x>{_DECIMAL})(?P<between>[^\d-]+)(?P<y>{_DECIMAL})(?P<after>\D*)")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = (
    "koordinate koordinaten breite breitengrad länge längengrad grad und coordinate coordinates and degrees coordonnée"
    " coordonnées degrés et coordenada coordenadas graus e latitude longitude lat lon lng n s w o x y 坐标 纬度 经度 度"
)
_COORDINATE_WORDS = frozenset(_WORDS.split())


@dataclass(frozen=True)
class ParsedCoordinate:
    """Easting and northing in EPSG:2056, and what the two numbers were taken for."""

    coord: Coord
    taken_for: System
    swapped: bool = False


def normalised(x: float, y: float) -> ParsedCoordinate:
    """Whatever of the usual pairs `x` and `y` are, in either order. The ranges do not overlap, so nothing is guessed."""
    if not (math.isfinite(x) and math.isfinite(y)):
        raise CoordinateOutside(OUTSIDE, "outside")
    for first, second, swapped in ((x, y, False), (y, x, True)):
        if (parsed := _parsed(first, second)) is not None:
            return ParsedCoordinate(*parsed, swapped=swapped)
    if max(abs(x), abs(y)) < DEGREES and max(abs(x), abs(y)) > POLE:
        raise CoordinateOutside(OUT_OF_RANGE, "outOfRange")
    raise CoordinateOutside(OUTSIDE, "outside")


def pair_in(query: str) -> tuple[float, float] | None:
    """The two numbers of a query that is nothing but a coordinate: `Koordinate 47, 8`."""
    if (match := _PAIR.fullmatch(query.strip())) is None:
        return None
    words = _LETTERS.findall(f"{match['before']} {match['between']} {match['after']}".casefold())
    return (float(match["x"]), float(match["y"])) if _COORDINATE_WORDS.issuperset(words) else None


def lv95_of_lv03(easting: float, northing: float) -> Coord:
    return easting + SHIFT_EAST, northing + SHIFT_NORTH


def lv95_of_wgs84(longitude: float, latitude: float) -> Coord:
    """Seconds of arc relative to Bern, in units of 10,000, are what the published polynomials take."""
    a = (longitude * 3600 - 26_782.5) / 10_000
    b = (latitude * 3600 - 169_028.66) / 10_000
    easting = 2_600_072.37 + 211_455.93 * a - 10_938.51 * a * b - 0.36 * a * b**2 - 44.54 * a**3
    northing = 1_200_147.07 + 308_807.95 * b + 3_745.25 * a**2 + 76.63 * b**2 - 194.56 * a**2 * b + 119.79 * b**3
    return easting, northing


def wgs84_of_lv95(easting: float, northing: float) -> tuple[float, float]:
    """Longitude and latitude in degrees. The way back is published less exactly (2.6 m in the west): what the way there makes
    of a first answer corrects it, so that both ways fit together."""
    east, north = lv95_of_wgs84(*_published_inverse(easting, northing))
    return _published_inverse(2 * easting - east, 2 * northing - north)


def _published_inverse(easting: float, northing: float) -> tuple[float, float]:
    y = (easting - 2_600_000) / 1_000_000
    x = (northing - 1_200_000) / 1_000_000
    longitude = 2.6779094 + 4.728982 * y + 0.791484 * y * x + 0.1306 * y * x**2 - 0.0436 * y**3
    latitude = 16.9023892 + 3.238272 * x - 0.270978 * y**2 - 0.002528 * x**2 - 0.0447 * y**2 * x - 0.0140 * x**3
    return longitude * 100 / 36, latitude * 100 / 36


def _parsed(first: float, second: float) -> tuple[Coord, System] | None:
    if _within(first, EASTING) and _within(second, NORTHING):
        return (first, second), "EPSG:2056"
    if _within(first + SHIFT_EAST, EASTING) and _within(second + SHIFT_NORTH, NORTHING):
        return lv95_of_lv03(first, second), "EPSG:21781"
    if _within(first, LONGITUDE) and _within(second, LATITUDE):
        easting, northing = lv95_of_wgs84(first, second)
        return (round(easting, 1), round(northing, 1)), "EPSG:4326"
    return None


def _within(value: float, span: Span) -> bool:
    return span[0] <= value <= span[1]
