"""Errors of external map services.

GeoServiceFailed   502   a map service is unreachable, too slow, or its response cannot be read; `again`: worth a retry
"""

from __future__ import annotations

from workroom.core.errors import WorkroomError


class GeoServiceFailed(WorkroomError):
    code = "geoServiceFailed"
    status = 502

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again
