"""Coordinates: the published formulas, both ways, and whatever order people write the numbers in."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput
from workroom.geo.coordinates import (
    EASTING,
    NORTHING,
    lv95_of_lv03,
    lv95_of_wgs84,
    normalised,
    pair_in,
    wgs84_of_lv95,
)
from workroom.geo.errors import CoordinateOutside

eastings = st.floats(*EASTING)
northings = st.floats(*NORTHING)


@pytest.mark.requirement("E7")
@given(eastings, northings)
def test_there_and_back_is_the_same_place(east: float, north: float) -> None:
    assert math.dist(lv95_of_wgs84(*wgs84_of_lv95(east, north)), (east, north)) < 1.5


@pytest.mark.parametrize(
    ("longitude", "latitude", "east", "north"),
    [
        (7.438632495, 46.951082773, 2_600_000.0, 1_200_000.0),  # the old observatory in Bern, where the grid begins
        (8.730497076, 46.044130339, 2_700_000.0, 1_100_000.0),  # the example of swisstopo's paper
    ],
)
def test_known_points(longitude: float, latitude: float, east: float, north: float) -> None:
    assert math.dist(lv95_of_wgs84(longitude, latitude), (east, north)) < 1.5
    assert wgs84_of_lv95(east, north) == pytest.approx((longitude, latitude), abs=2e-5)


@given(eastings, northings)
def test_swapped_is_the_same(east: float, north: float) -> None:
    for pair in ((east, north), (east - 2_000_000, north - 1_000_000), wgs84_of_lv95(east, north)):
        try:
            plain = normalised(*pair)
        except InvalidInput:
            continue  # a corner of the frame whose longitude lies beyond it
        swapped = normalised(pair[1], pair[0])
        assert swapped.coord == plain.coord
        assert swapped.taken_for == plain.taken_for
        assert (plain.swapped, swapped.swapped) == (False, True)


def test_what_they_are_taken_for() -> None:
    assert normalised(2609767.1, 1228437.4).taken_for == "EPSG:2056"
    assert normalised(2609767.1, 1228437.4).coord == (2609767.1, 1228437.4), "as it was given"
    old = normalised(609767.1, 228437.4)
    assert (old.taken_for, old.coord) == ("EPSG:21781", lv95_of_lv03(609767.1, 228437.4))
    degrees = normalised(*wgs84_of_lv95(2609767.1, 1228437.4))
    assert degrees.taken_for == "EPSG:4326"
    assert math.dist(degrees.coord, (2609767.1, 1228437.4)) < 1


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [(47.37, 208.54, "outOfRange"), (-91.5, 8.5, "outOfRange"), (200, 95, "outOfRange"), (8.5, 999.9, "outOfRange"),
     (13.4, 52.5, "outside"), (2900000, 1200000, "outside"), (90, 0, "outside")],
)  # fmt: skip
def test_beyond_the_poles_is_told_from_abroad(x: float, y: float, reason: str) -> None:
    with pytest.raises(CoordinateOutside) as refused:
        normalised(x, y)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("query", "pair"),
    [
        ("Koordinate 95, 200", (95, 200)),
        ("lat 47.5 lon 8.5", (47.5, 8.5)),
        ("坐标 -91, 8", (-91, 8)),
        ("47 / 8", (47, 8)),
    ],
)
def test_a_query_of_two_numbers_is_a_coordinate(query: str, pair: tuple[float, float]) -> None:
    assert pair_in(query) == pair
    assert pair_in(f"Solothurn {query}") is None


@pytest.mark.parametrize(
    ("x", "y"),
    [(0, 0), (13.4, 52.5), (2600000, 200000), (600000, 1200000), (float("nan"), 1200000), (2600000, float("inf")),
     (-2600000, 1200000), (2.35, 48.86), (1e300, 1)],
)  # fmt: skip
def test_elsewhere_is_refused_with_an_example(x: float, y: float) -> None:
    with pytest.raises(InvalidInput, match="2600000 / 1200000"):
        normalised(x, y)
