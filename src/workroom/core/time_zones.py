"""Time zones by their names, as clients send them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from workroom.core.errors import InvalidInput


def zone_named(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise InvalidInput(
            "There is no such time zone. Give its name, such as Europe/Zurich.", field="timeZone"
        ) from None
