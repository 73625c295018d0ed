"""Errors of external map services.

CoordinateOutside  422   not a coordinate in Switzerland; `reason` says why
GeoServiceFailed   502   a map service is unreachable, too slow, or its response cannot be read; `again`: worth a retry
"""

from __future__ import annotations

from typing import Literal

from workroom.core.errors import InvalidInput, WorkroomError


class CoordinateOutside(InvalidInput):
    """`reason` is also the key of the sentence about it: beyond the poles or the date line, or just not in Switzerland."""

    def __init__(self, message: str, reason: Literal["outOfRange", "outside"]) -> None:
        super().__init__(message, field="x")
        self.reason = reason


class GeoServiceFailed(WorkroomError):
    code = "geoServiceFailed"
    status = 502

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again
