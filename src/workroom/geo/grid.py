"""The tile grid of the Swiss geoportal in EPSG:2056: one origin, 29 resolutions, tiles of 256 pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from workroom.core.errors import NotFound

ORIGIN = (2_420_000.0, 1_350_000.0)  # the upper left corner
CORNER = (2_900_000.0, 1_030_000.0)  # the lower right one
PIXELS = 256
# Metres per pixel, by the number of the tile matrix.
RESOLUTIONS = (
    *(4000.0, 3750.0, 3500.0, 3250.0, 3000.0, 2750.0, 2500.0, 2250.0, 2000.0, 1750.0, 1500.0, 1250.0, 1000.0, 750.0),
    *(650.0, 500.0, 250.0, 100.0, 50.0, 20.0, 10.0, 5.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.25, 0.1),
)
LAST = len(RESOLUTIONS) - 1


@dataclass(frozen=True)
class Tile:
    matrix: int
    row: int
    col: int

    @classmethod
    def of(cls, matrix: int, row: int, col: int) -> Tile:
        """The tile, if the grid has it."""
        if not 0 <= matrix <= LAST:
            raise NotFound(f"The grid has the matrices 0 to {LAST}.")
        side = RESOLUTIONS[matrix] * PIXELS
        rows = math.ceil((ORIGIN[1] - CORNER[1]) / side)
        cols = math.ceil((CORNER[0] - ORIGIN[0]) / side)
        if not (0 <= row < rows and 0 <= col < cols):
            raise NotFound(f"Matrix {matrix} has {rows} rows and {cols} columns of tiles; this one is not among them.")
        return cls(matrix, row, col)

    @property
    def resolution(self) -> float:
        return RESOLUTIONS[self.matrix]

    @property
    def left(self) -> float:
        return ORIGIN[0] + self.col * PIXELS * self.resolution

    @property
    def top(self) -> float:
        return ORIGIN[1] - self.row * PIXELS * self.resolution

    def pixel(self, easting: float, northing: float) -> tuple[float, float]:
        return (easting - self.left) / self.resolution, (self.top - northing) / self.resolution
