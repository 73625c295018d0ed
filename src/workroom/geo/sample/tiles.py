"""Sample layers, drawn: each tile of the Swiss grid as a small SVG. Only numbers and colours of ours get into it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

from workroom.geo.grid import PIXELS, Tile
from workroom.geo.sample.data import SampleLayer, ZoneArea, translated

CORNERS = 24
ROW = 22
HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" width="{PIXELS}" height="{PIXELS}" viewBox="0 0 {PIXELS} {PIXELS}">'
LABEL = (
    f'<text x="{PIXELS // 2}" y="{PIXELS - 8}" text-anchor="middle" font-family="sans-serif" font-size="11" fill="#555"'
    ' fill-opacity=".7">Sample · Beispiel · Exemple · Exemplo · 示例</text>'
)


def drawn(layer: SampleLayer, tile: Tile) -> str:
    """Empty where nothing lies; labelled as a sample wherever something does."""
    colours = {zone.code: zone.colour for zone in layer.zones}
    shapes = [
        f'<path d="{_path(spot, tile)}" fill="{colours[spot.zone]}" fill-opacity=".5" stroke="{colours[spot.zone]}"/>'
        for spot in layer.spots
        if _is_seen(spot, tile)
    ]
    return HEAD + "".join([*shapes, LABEL] if shapes else []) + "</svg>"


def legend(layer: SampleLayer, language: str) -> str:
    title = translated(layer.title, language)
    height = ROW * (len(layer.zones) + 1) + 8
    lines = [f'<text x="8" y="18" font-weight="bold">{escape(title)}</text>']
    for place, zone in enumerate(layer.zones, 1):
        top = place * ROW + 4
        lines.append(
            f'<rect x="8" y="{top}" width="18" height="14" fill="{zone.colour}" fill-opacity=".6" stroke="#555"/>'
        )
        lines.append(f'<text x="34" y="{top + 12}">{escape(translated(zone.title, language))}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="420" height="{height}" font-family="sans-serif" font-size="13">'
    return head + "".join(lines) + "</svg>"


def _is_seen(spot: ZoneArea, tile: Tile) -> bool:
    """Its square touches the tile, and it would be more than a speck."""
    reach = spot.radius * 1.3 / tile.resolution
    x, y = tile.pixel(*spot.centre)
    return reach >= 0.7 and -reach <= x <= PIXELS + reach and -reach <= y <= PIXELS + reach


def _path(spot: ZoneArea, tile: Tile) -> str:
    points = [tile.pixel(east, north) for east, north in _outline(spot)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _outline(spot: ZoneArea) -> Iterator[tuple[float, float]]:
    """Round, with a few bulges, always the same for the same spot: neighbouring tiles must fit together."""
    for corner in range(CORNERS):
        turn = 2 * math.pi * corner / CORNERS
        wide = spot.radius * (1 + 0.16 * math.sin(3 * turn + spot.seed) + 0.09 * math.sin(5 * turn + 2 * spot.seed))
        yield spot.centre[0] + wide * math.cos(turn), spot.centre[1] + wide * math.sin(turn)
