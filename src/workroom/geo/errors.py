"""What can be wrong with a service somebody else runs.

GeoServiceFailed   502   a map service is away, too slow, or answers what nobody can read; `again` where waiting helps
"""

from __future__ import annotations

from workroom.core.errors import WorkroomError


class GeoServiceFailed(WorkroomError):
    code = "geoServiceFailed"
    status = 502

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again
