"""Where a parcel is: the middle of its largest surface, or of the map that the extract shows it on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import InvalidInput
from workroom.core.map_actions import Coord
from workroom.geo.coordinates import normalised

MOST_POINTS = 200_000
Ring = list[Coord]


def middle_of(limit: Any, plan: Any = None) -> Coord | None:
    rings = [ring for ring in _rings(limit) if len(ring) >= 3]
    middle = _centroid(max(rings, key=lambda ring: abs(_area(ring)))) if rings else _middle_of_plan(plan)
    if middle is None:
        return None
    try:
        coord = normalised(*middle).coord
    except InvalidInput:
        return None
    return round(coord[0], 1), round(coord[1], 1)


def _rings(limit: Any) -> Iterator[Ring]:
    """The outer rings: of JSON polygons, or of the surfaces of the XML."""
    if not isinstance(limit, dict):
        return
    for polygon in _many(limit.get("coordinates")):
        if isinstance(polygon, list) and polygon:
            yield _points(polygon[0])
    for surface in _many(limit.get("surface")):
        line = _at(surface, "exterior", "polyline")
        if isinstance(line, dict):
            # Arcs are taken as the straight lines between their ends: the middle hardly changes.
            yield _points([*_many(line.get("coord")), *_many(line.get("arc"))])


def _points(raw: Any) -> Ring:
    points = (_point(item) for item in _many(raw)[:MOST_POINTS])
    return [point for point in points if point is not None]


def _point(raw: Any) -> Coord | None:
    try:
        east, north = (raw["c1"], raw["c2"]) if isinstance(raw, dict) else raw[:2]
        point = float(east), float(north)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return point if all(map(math.isfinite, point)) else None


def _middle_of_plan(plan: Any) -> Coord | None:
    low, high = (_corner(_at(plan, name)) for name in ("min", "max"))
    return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2) if low and high else None


def _corner(raw: Any) -> Coord | None:
    return _point(raw.get("coordinates", raw) if isinstance(raw, dict) else raw)


def _area(ring: Ring) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in _sides(ring)) / 2


def _centroid(ring: Ring) -> Coord:
    """Around the first corner: Swiss coordinates are large, and their products lose the metres."""
    east, north = ring[0]
    near = [(x - east, y - north) for x, y in ring]
    area = _area(near)
    if not area:
        return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)
    sums = [((a[0] + b[0]) * w, (a[1] + b[1]) * w) for a, b in _sides(near) for w in [a[0] * b[1] - b[0] * a[1]]]
    return east + sum(x for x, _ in sums) / (6 * area), north + sum(y for _, y in sums) / (6 * area)


def _sides(ring: Ring) -> Iterator[tuple[Coord, Coord]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _at(tree: Any, *names: str) -> Any:
    for name in names:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def _many(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]
