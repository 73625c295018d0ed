"""What time it is: models do not know."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workroom.agent.tool import ToolContext, tool
from workroom.core.clock import now
from workroom.core.errors import InvalidInput


@tool("currentTime", effect="read", sets={"core"})
async def current_time(ctx: ToolContext, timezone: str = "UTC") -> dict[str, str]:
    """The present date and time, in a time zone such as `Europe/Zurich`."""
    try:
        moment = now().astimezone(ZoneInfo(timezone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"There is no time zone {timezone[:60]!r}. Use a name such as Europe/Zurich.") from None
    return {"time": moment.isoformat(timespec="seconds"), "weekday": moment.strftime("%A")}
